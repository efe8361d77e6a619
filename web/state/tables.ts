// Tables in files: .npy and safetensors, from this computer or from an address. The header is read first; of the rest only
// the bytes of the chosen tensor are. What the bytes mean, the core says.

import type { Matrix } from "../engine/types.js";
import { lab } from "./host.js";

export interface Reading {
  signal: AbortSignal;
  /** Bytes that arrived, and how many are expected. */
  progress?: (arrived: number, expected: number) => void;
}

/** Something that can be read in pieces. */
export interface Source {
  name: string;
  /** In bytes; 0 = not known (yet). */
  size: number;
  /** Bytes [begin, end), fewer when the file ends before. */
  read(begin: number, end: number, reading: Reading): Promise<Uint8Array>;
}

export interface TableEntry {
  name: string;
  dtype: string;
  shape: number[];
  /** Its bytes are [begin, end) of the file. */
  begin: number;
  end: number;
}

export interface OpenFile {
  source: Source;
  format: "npy" | "safetensors";
  entries: TableEntry[];
}

export interface LoadedTable extends Matrix {
  /** Rows that the tensor has; more than the table when only its beginning was loaded. */
  allRows: number;
}

/** Enough for the header of any .npy file and of most safetensors files. */
const firstBytes = 1 << 17;
/** More rows than this are not compared with each other. */
export const mostRows = 1024;
const mostColumns = 4096;
const mostNpyBytes = 64 << 20;

export function fileSource(file: File): Source {
  return {
    name: file.name,
    size: file.size,
    read: (begin, end, reading) => {
      const piece = file.slice(begin, end);
      return collect(piece.stream(), 0, piece.size, reading);
    },
  };
}

export function addressSource(address: string): Source {
  const url = URL.canParse(address, document.baseURI) ? new URL(address, document.baseURI) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new Error(`${JSON.stringify(address)} is no address that can be opened; it must begin with https:// or http://.`);
  }
  const source: Source = {
    name: decodeURIComponent(url.pathname.split("/").at(-1) || url.host),
    size: 0,
    async read(begin, end, reading) {
      const response = await request(url, begin, end, reading.signal);
      const body = response.body;
      if (!body) throw new Error(`${url.href} sent nothing.`);
      if (response.status === 206) {
        source.size = Number(/\/(\d+)$/.exec(response.headers.get("Content-Range") ?? "")?.[1] ?? 0);
        return collect(body, 0, end - begin, reading);
      }
      // A server that knows no ranges sends the whole file: read up to the end of the piece, then hang up. The length it
      // announces may be that of a compressed file, so it is not held against the header.
      return collect(body, begin, end, reading);
    },
  };
  return source;
}

async function request(url: URL, begin: number, end: number, signal: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { headers: { Range: `bytes=${begin}-${end - 1}` }, signal });
  } catch (error) {
    if (signal.aborted) throw error;
    const reason = "the address may be wrong, the connection down, or its server may not let other pages read it";
    throw new Error(`${url.href} could not be fetched: ${reason}. Download the file and drop it here instead.`, {
      cause: error,
    });
  }
  if (!response.ok) {
    const said = `${response.status} ${response.statusText}`.trim();
    throw new Error(`${url.href} answered ${said} instead of the file. Check the address.`);
  }
  return response;
}

/** Bytes [begin, end) of a stream; what comes before is dropped, what comes after is not waited for. */
async function collect(
  stream: ReadableStream<Uint8Array>,
  begin: number,
  end: number,
  { signal, progress }: Reading,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(end - begin);
  const reader = stream.getReader();
  let at = 0;
  while (at < end && !signal.aborted) {
    const { done, value } = await reader.read();
    if (done) break;
    const from = Math.max(0, begin - at);
    const to = Math.min(value.length, end - at);
    if (to > from) bytes.set(value.subarray(from, to), at + from - begin);
    at += value.length;
    progress?.(Math.min(at, end), end);
  }
  await reader.cancel();
  return bytes.subarray(0, Math.max(0, Math.min(at, end) - begin));
}

const npyMagic = [0x93, ...new TextEncoder().encode("NUMPY")];

/** Whether a file is NumPy's, by its first bytes; refuses one that only its name calls so. */
export function isNpy(name: string, bytes: Uint8Array): boolean {
  if (npyMagic.every((byte, i) => bytes[i] === byte)) return true;
  if (!name.toLowerCase().endsWith(".npy")) return false;
  const advice = "Write it with np.save, or, if it holds text, give it the ending .csv or .txt";
  throw new Error(`${name} is named .npy but does not begin as such a file does, with \\x93NUMPY. ${advice}.`);
}

const isZip = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b;

/** Reads the header and lists what the file holds. */
export async function openFile(source: Source, reading: Reading): Promise<OpenFile> {
  const wanted = source.size > 0 ? Math.min(source.size, firstBytes) : firstBytes;
  const first = await source.read(0, wanted, reading);
  if (isZip(first)) {
    throw new Error(
      `${source.name} is an archive, as .npz and .pt files are. Save one array with np.save, or the weights as safetensors.`,
    );
  }
  if (isNpy(source.name, first)) {
    const header = await lab.ask({ question: "npy_header", prefix: first, file_size: source.size });
    return { source, format: "npy", entries: [{ name: source.name, ...header }] };
  }
  const length = await lab.ask({ question: "safetensors_prefix", bytes: first.subarray(0, 8) });
  const prefix = length <= first.length ? first.subarray(0, length) : await source.read(0, length, reading);
  const entries = await lab.ask({ question: "safetensors_entries", prefix, file_size: source.size });
  return { source, format: "safetensors", entries };
}

/** Why a tensor cannot be shown as a table; undefined when it can. */
export function objection({ name, shape }: TableEntry): string | undefined {
  const [rows = 0, columns = 0] = shape;
  if (shape.length !== 2) {
    return `${name} has shape (${shape.join(", ")}); a table has two axes, positions and columns.`;
  }
  if (rows < 1 || columns < 1) return `${name} has shape (${shape.join(", ")}), so it holds no numbers.`;
  if (columns > mostColumns) return `${name} has ${columns} columns; up to ${mostColumns} can be shown.`;
  return undefined;
}

/** Loads one tensor, or of a long one the first rows. */
export async function loadTable(file: OpenFile, entry: TableEntry, reading: Reading): Promise<LoadedTable> {
  const reason = objection(entry);
  if (reason !== undefined) throw new Error(reason);
  const [allRows = 0, columns = 0] = entry.shape;
  const rows = Math.min(allRows, mostRows);
  const shape = [rows, columns];
  if (file.format === "npy") {
    if (entry.end > mostNpyBytes) {
      throw new Error(
        `${entry.name} has ${entry.end} bytes; up to ${mostNpyBytes} can be read. Save only its first rows: np.save("table.npy", table[:${mostRows}]).`,
      );
    }
    const bytes = await file.source.read(0, entry.end, reading);
    const { data } = await lab.ask({ question: "read_npy", bytes });
    return { shape, data: data.subarray(0, rows * columns), allRows };
  }
  const end = entry.begin + ((entry.end - entry.begin) / allRows) * rows;
  const bytes = await file.source.read(entry.begin, end, reading);
  if (bytes.length !== end - entry.begin) {
    throw new Error(
      `${entry.name} should have ${end - entry.begin} bytes and ${bytes.length} came: the file is cut off or the connection broke.`,
    );
  }
  const data = await lab.ask({ question: "safetensors_decode", dtype: entry.dtype, bytes });
  return { shape, data, allRows };
}
