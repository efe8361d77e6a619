// Serves a folder of static files on this machine: on the asked-for port if it is free, else on any.
import { createServer } from "node:http";

/** Resolves to {address, close} once it serves. */
export async function serve(folder, wanted = 8080) {
  const { default: sirv } = await import("sirv");
  const server = createServer(sirv(folder, { dev: true }));
  const listen = (port) =>
    new Promise((done, fail) => {
      server.once("error", fail);
      server.listen(port, "127.0.0.1", done);
    });
  try {
    await listen(wanted);
  } catch (error) {
    if (error.code !== "EADDRINUSE") throw error;
    await listen(0);
  }
  return { address: `http://localhost:${server.address().port}/`, close: () => server.close() };
}
