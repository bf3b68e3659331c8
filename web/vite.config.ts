import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// `npm run dev` asks a server at its usual port, which takes calls of its own page alone.
const target = process.env.AFOOT_SERVER ?? "http://127.0.0.1:7878";
const proxy = { "/api": { target, ws: true, changeOrigin: true, rewriteWsOrigin: true, headers: { origin: target } } };

// Built into the server's crate, which puts it into the program.
export default defineConfig({
  plugins: [svelte()],
  build: { outDir: "../crates/afoot-serve/front/dist", emptyOutDir: true, chunkSizeWarningLimit: 1500 },
  server: { proxy },
  preview: { proxy },
});
