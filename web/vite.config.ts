import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The API during development; `npm run dev` starts it. */
const api = process.env.TOCSIN_API ?? "http://127.0.0.1:8080";
/** Paths of the service itself. The Host header is kept, because changes must come from the service's own origin. */
const served = ["/api", "/openapi.json", "/redoc", "/docs", "/llms.txt", "/assets/docs"];

/** Paths of the entry without a router; `src/http/dashboard.ts` has the same list for the built pages. */
const authPath = /^\/(login|signup|forgot-password|links\/[\w-]+)\/?(\?|$)/;

/** Serves `auth.html` for the account pages during development, as the service does with the built pages. */
function accountPages(): Plugin {
  return {
    name: "account-pages",
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        if (authPath.test(request.url ?? "")) request.url = "/auth.html";
        next();
      });
    },
  };
}

export default defineConfig({
  root: here("."),
  plugins: [accountPages(), react(), tailwindcss()],
  resolve: { alias: { "@": here("src") } },
  // The service replaces this text in each response by a new nonce.
  html: { cspNonce: "__NONCE__" },
  server: {
    host: "127.0.0.1",
    proxy: Object.fromEntries(served.map((path) => [path, { target: api, changeOrigin: false }])),
  },
  build: {
    outDir: here("dist"),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    manifest: true,
    rollupOptions: { input: [here("index.html"), here("auth.html")] },
  },
});
