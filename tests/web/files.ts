// Table files as other programs write them, and a server that sends them.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A .npy file of float32, version 1.0, C order. */
export function npyFile(rows: number, columns: number, value: (row: number, column: number) => number): Buffer {
  const words = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows}, ${columns}), }`;
  const header = words.padEnd(128 - 10 - 1) + "\n";
  const start = Buffer.concat([Buffer.from([0x93]), Buffer.from("NUMPY"), Buffer.from([1, 0, header.length, 0])]);
  return Buffer.concat([start, Buffer.from(header), floats(rows, columns, value)]);
}

export function floats(rows: number, columns: number, value: (row: number, column: number) => number): Buffer {
  const data = Buffer.alloc(4 * rows * columns);
  for (let i = 0; i < rows * columns; ++i) data.writeFloatLE(value(Math.floor(i / columns), i % columns), 4 * i);
  return data;
}

export interface NamedTensor {
  name: string;
  shape: number[];
  bytes: Buffer;
}

export function safetensorsFile(tensors: readonly NamedTensor[]): Buffer {
  const header: Record<string, unknown> = { __metadata__: { format: "pt" } };
  let at = 0;
  for (const { name, shape, bytes } of tensors) {
    header[name] = { dtype: "F32", shape, data_offsets: [at, at + bytes.length] };
    at += bytes.length;
  }
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, ...tensors.map(({ bytes }) => bytes)]);
}

/** Serves one file to every origin, in pieces or, as some servers do, only whole; `held` keeps the second half of each
 * answer back until it is done. */
export async function serveFile(file: Buffer, ranges: boolean, held?: Promise<unknown>) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const headers = { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Content-Range" };
    if (!request.url?.endsWith(".safetensors")) {
      response.writeHead(404, headers).end();
      return;
    }
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
    asked.push(request.headers.range ?? "all");
    if (!ranges || !range) {
      response.writeHead(200, { ...headers, "Content-Length": file.length }).end(file);
      return;
    }
    const [begin, last] = [Number(range[1]), Math.min(Number(range[2]), file.length - 1)];
    response.writeHead(206, { ...headers, "Content-Range": `bytes ${begin}-${last}/${file.length}` });
    const middle = Math.floor((begin + last) / 2);
    response.write(file.subarray(begin, middle));
    void Promise.resolve(begin > 0 ? held : undefined).then(() => response.end(file.subarray(middle, last + 1)));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}/`, asked, close: () => server.close() };
}
