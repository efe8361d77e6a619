// The question after the building: which rows of a learned table move in training?

import { css, html, nothing, type TemplateResult } from "lit";

export const questionStyles = css`
  .further {
    margin-top: 1.5rem;
    border-top: 1px solid var(--rule);
    padding-top: 0.5rem;
  }
`;

const choices = [
  { name: "all", text: "all 64", reply: "Rows that no token ever looked up take no part in any sum, so no gradient reaches them." },
  { name: "first", text: "the first 40", reply: "" },
  { name: "last", text: "the last 24", reply: "It is the other way round: those are the rows that no text was long enough to reach." },
] as const;

export type TableAnswer = (typeof choices)[number]["name"];

export function renderTableQuestion(answer: TableAnswer | undefined, choose: (answer: TableAnswer) => void): TemplateResult {
  const chosen = choices.find(({ name }) => name === answer);
  return html`<section class="further">
    <h3>And a table that is learned?</h3>
    <fieldset>
      <legend class="question">
        A model has a table of 64 position rows and is trained on texts of 40 tokens. Which rows does the loss teach
        anything?
      </legend>
      ${choices.map(
        ({ name, text }) =>
          html`<label class="choice"
            ><input type="radio" name="table_answer" value=${name} .checked=${name === answer} @change=${() => choose(name)} />${text}</label
          >`,
      )}
    </fieldset>
    <div role="status">
      ${chosen === undefined
        ? nothing
        : chosen.name === "first"
          ? html`<p class="passed">
              Right. A row gets a gradient only when a token stands at its position. Rows 40 to 63 are never looked up: they
              stay the noise they began as, and a longer text would meet that noise. At most weight decay, which pulls all
              weights a little towards 0 at each step, shrinks them.
            </p>`
          : html`<p class="wrong">Not these. ${chosen.reply}</p>`}
    </div>
  </section>`;
}
