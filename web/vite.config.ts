import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// Built into the server's crate, which puts it into the program.
export default defineConfig({
  plugins: [svelte()],
  build: { outDir: "../crates/afoot-serve/front/dist", emptyOutDir: true, chunkSizeWarningLimit: 1500 },
  server: { proxy: { "/api": { target: "http://127.0.0.1:7878", ws: true } } },
});
