// What the race shows of its runs: progress, samples, the table at the end. Pure templates.

import { css, html, nothing, type TemplateResult } from "lit";
import { formatCount, formatDuration, formatValue } from "../../draw/ticks.js";
import type { Run } from "../../engine/run.js";
import type { Curve } from "../../parts/loss_chart.js";
import { schemeOf } from "../../state/schemes.js";
import { lossTerm } from "../terms.js";

export const resultStyles = css`
  .runs {
    display: grid;
    gap: 0.6rem;
    margin-block: 1rem;
  }
  .run {
    display: grid;
    grid-template-columns: 7rem minmax(4rem, 1fr);
    gap: 0.1rem 0.75rem;
    align-items: center;
  }
  .run .name {
    display: flex;
    align-items: center;
    gap: 0.5rem;
  }
  .run .figures {
    grid-column: 2;
    color: var(--soft);
    font-size: 0.8125rem;
    min-height: 1.45em;
  }
  .run .warning {
    grid-column: 1 / -1;
  }
  .run .warning button {
    margin-inline-start: 0.5rem;
    min-height: 2rem;
    padding-block: 0.2rem;
  }
  progress {
    appearance: none;
    inline-size: 100%;
    block-size: 8px;
    border: 0;
    border-radius: 4px;
    background: var(--rule);
    overflow: hidden;
  }
  progress::-webkit-progress-bar {
    background: var(--rule);
  }
  progress::-webkit-progress-value {
    background: var(--chip);
  }
  progress::-moz-progress-bar {
    background: var(--chip);
  }
  .samples {
    display: grid;
    gap: 1rem;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr));
    margin-top: 1rem;
  }
  .sample {
    border-top: 3px solid var(--chip);
    background: var(--raised);
    padding: 0.6rem 0.75rem;
    min-width: 0;
  }
  .sample h3 {
    margin: 0 0 0.4rem;
    font: inherit;
    font-size: 0.8125rem;
    color: var(--soft);
  }
  .sample pre {
    margin: 0;
    font: 0.8125rem/1.45 var(--mono);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    height: 10.2em;
    overflow-y: auto;
  }
  .table {
    overflow-x: auto;
    margin-top: 1rem;
  }
  @container (max-width: 480px) {
    /* Two lines while it trains: what lies below stays where it is when they become one. */
    .run .figures {
      min-height: 2.9em;
    }
    .table {
      font-size: 0.8125rem;
    }
    .table :is(th, td):not(:first-child) {
      padding-inline-start: 0.4rem;
    }
  }
  .table th:first-child {
    white-space: nowrap;
  }
`;

export function curvesOf(runs: readonly Run[]): Curve[] {
  return runs.map(({ positions, losses, val }) => {
    const { title, colour } = schemeOf(positions);
    return { scheme: positions, title, colour, losses, val };
  });
}

/** The curves as far as they have come; nothing before a run knows its text. */
export function renderChart(curves: readonly Curve[], runs: readonly Run[], steps: number): TemplateResult | typeof nothing {
  const created = runs.find((run) => run.created)?.created;
  if (!created) return nothing;
  return html`<poslab-loss-chart .curves=${curves} .baselines=${created.baselines} .steps=${steps}></poslab-loss-chart>`;
}

const phases: Record<Exclude<Run["state"], "evaluating">, string> = {
  loading: "getting ready",
  ready: "ready",
  running: "training",
  paused: "paused",
  finished: "finished",
  failed: "failed",
  dead: "gone",
};

function standingOf(run: Run): string {
  if (run.state === "running" && run.secondsLeft !== undefined) return `${formatDuration(run.secondsLeft)} left`;
  if (run.state === "evaluating") return `measuring the whole validation text, ${Math.floor(100 * run.measured)} %`;
  return run.stoppedEarly ? "stopped" : phases[run.state];
}

export function renderRuns(runs: readonly Run[]): TemplateResult {
  return html`<div class="runs">${runs.map(renderRun)}</div>`;
}

function renderRun(run: Run): TemplateResult {
  const { title } = schemeOf(run.positions);
  const figures = [
    `${formatCount(run.step)} of ${formatCount(run.steps)} steps`,
    run.state === "running" && run.tokensPerSecond !== undefined
      ? `${formatCount(run.tokensPerSecond)} tokens/s · ${run.workers} ${run.workers === 1 ? "worker" : "workers"}`
      : undefined,
    standingOf(run),
  ];
  return html`<div class="run" data-scheme=${run.positions} data-state=${run.state}>
    <span class="name"><i class="chip"></i>${title}</span>
    <progress aria-label="Progress of ${title}" max=${run.steps} .value=${run.step}></progress>
    <span class="figures">${figures.filter(Boolean).join(" · ")}</span>
    ${run.error !== undefined
      ? html`<p class="warning" role="alert">
          ${run.error}<button type="button" @click=${() => run.reset()}>
            ${run.state === "dead" ? "Restart this run" : "Reset this run"}
          </button>
        </p>`
      : nothing}
  </div>`;
}

export function renderSamples(runs: readonly Run[]): TemplateResult {
  return html`<div class="samples">
    ${runs.map((run) => {
      const { title } = schemeOf(run.positions);
      const { sample } = run;
      return html`<section class="sample" data-scheme=${run.positions}>
        <h3>${sample ? `${title} writes, after ${formatCount(sample.step)} ${sample.step === 1 ? "step" : "steps"}` : `${title} has not written yet`}</h3>
        <pre tabindex="0" aria-label="Sample of ${title}">${sample?.text.trimStart() ?? ""}</pre>
      </section>`;
    })}
  </div>`;
}

export function renderTable(runs: readonly Run[]): TemplateResult | typeof nothing {
  if (!runs.some((run) => run.result)) return nothing;
  const first = runs[0]?.result?.val_loss;
  const best = Math.min(...runs.flatMap((run) => run.result?.val_loss ?? []));
  const bigram = runs.find((run) => run.created)?.created?.baselines.bigram ?? Infinity;
  const unequal = new Set(runs.flatMap((run) => run.result?.step ?? [])).size > 1;
  return html`<div class="table">
    <table>
      <thead>
        <tr>
          <th scope="col">Positions</th>
          <th scope="col">Parameters</th>
          <th scope="col">Validation loss</th>
          <th scope="col">Against the first</th>
          <th scope="col">Real words</th>
        </tr>
      </thead>
      <tbody>
        ${runs.map((run, i) => renderRow(run, i, first))}
      </tbody>
    </table>
    ${best > bigram
      ? html`<p class="too-short">
          ${runs.length > 1
            ? "All are still above the bigram line: train longer before you compare."
            : "It is still above the bigram line: train longer."}
        </p>`
      : nothing}
    <p class="note">
      ${unequal
        ? "The runs were stopped at different steps, so their losses do not compare fairly. "
        : nothing}Real words: the share of the words a model wrote that occur in its text. ${lossTerm}
    </p>
  </div>`;
}

function renderRow(run: Run, index: number, first: number | undefined): TemplateResult {
  const { title } = schemeOf(run.positions);
  const { result, created } = run;
  const difference = result && first !== undefined ? result.val_loss - first : undefined;
  const { words = 0, known_words = 0 } = result?.stats ?? {};
  return html`<tr data-scheme=${run.positions}>
    <th scope="row"><i class="chip"></i> ${title}</th>
    <td>${created ? formatCount(created.parameters) : "–"}</td>
    <td>${result ? formatValue(result.val_loss, 3) : "–"}</td>
    <td>${index === 0 ? "" : difference === undefined ? "–" : signed(difference)}</td>
    <td>${words > 0 ? `${Math.round((100 * known_words) / words)} %` : "–"}</td>
  </tr>`;
}

function signed(value: number): string {
  const text = formatValue(Math.abs(value), 3);
  return Number(text) === 0 ? "0.000" : `${value < 0 ? "−" : "+"}${text}`;
}
