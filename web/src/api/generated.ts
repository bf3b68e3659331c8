export type Session = any; export type Job = any; export type History = any; export type Told = any; export type Body = any; export type MotionHead = any;
export const OPTIONS: Record<string, Record<string, { words: string; range: string; kind: string }>> = {};
