// A claim with its proof by number: the claim in words (the element's content), the largest deviation found over how many
// cases, and whether rounding explains it. It turns red when it does not.

import { css, html, LitElement } from "lit";
import { property } from "lit/decorators.js";
import { formatCount, formatDeviation } from "../draw/ticks.js";

/** What the core says of a claim it checked. */
export interface CheckedClaim {
  cases: number;
  largest: number;
  tolerance: number;
  holds: boolean;
}

export class ProofFigure extends LitElement {
  static override styles = css`
    :host {
      display: grid;
      min-width: 0;
      --verdict: var(--soft);
    }
    :host([verdict="holds"]) {
      --verdict: var(--poslab-holds, light-dark(#00664b, #56cfa6));
    }
    :host([verdict="fails"]) {
      --verdict: var(--poslab-fails, light-dark(#b00020, #ff8f8f));
    }
    div {
      padding: 0.55rem 0.8rem;
      border-inline-start: 3px solid var(--verdict);
      background: color-mix(in srgb, var(--verdict) 9%, var(--paper));
      overflow-wrap: anywhere;
    }
    p {
      margin: 0;
    }
    .verdict {
      min-height: 2.9em;
      color: var(--ink);
      font-variant-numeric: tabular-nums;
    }
    strong {
      color: var(--verdict);
    }
  `;

  @property({ attribute: false }) proof: CheckedClaim | undefined;
  /** What a deviation is measured in, such as "of the query's norm"; empty for plain numbers. */
  @property() measure = "";

  override render() {
    return html`<div role="group" aria-label="Claim and proof">
      <p><slot></slot></p>
      <p class="verdict">${this.#verdict()}</p>
    </div>`;
  }

  protected override willUpdate(): void {
    const { proof } = this;
    this.setAttribute("verdict", proof === undefined ? "waiting" : proof.holds ? "holds" : "fails");
  }

  #verdict() {
    const { proof } = this;
    if (!proof) return html`Being checked …`;
    const unit = this.measure === "" ? "" : ` ${this.measure}`;
    const explained =
      proof.tolerance === 0 ? "none is allowed" : `rounding explains up to ${formatDeviation(proof.tolerance)}`;
    // Spoken when the verdict turns, not with every number.
    return html`<strong role="status">${proof.holds ? "✓ Holds" : "✗ Fails"}:</strong> the largest deviation over
      ${formatCount(proof.cases)} ${proof.cases === 1 ? "case" : "cases"} is
      ${formatDeviation(proof.largest)}${unit}; ${explained}.`;
  }
}
