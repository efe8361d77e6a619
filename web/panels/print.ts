// How a panel looks on paper: text and figures, no controls, nothing cut off or torn apart.

import { css } from "lit";

export const printStyles = css`
  .print-only {
    display: none;
  }
  @media print {
    .print-only:not(:empty) {
      display: block;
    }
    /* What scrolls on the screen is cut off on paper. */
    pre {
      height: auto !important;
      max-height: none !important;
      overflow: visible !important;
      white-space: pre-wrap !important;
      overflow-wrap: anywhere;
    }
    textarea {
      field-sizing: content;
    }
    /* Nobody came near it, so there is nothing to print, which a word says. */
    :host(:not([awake])) {
      min-height: 0 !important;
    }
    :host(:not([awake]))::before {
      content: "This panel was not opened.";
      font-style: italic;
      color: var(--soft);
    }
    .layout > .controls,
    .slider,
    .empty > *,
    .buttons,
    .files,
    button {
      display: none !important;
    }
    .empty {
      min-height: 0 !important;
      padding: 0 !important;
      background: none !important;
    }
    .empty::before {
      content: "Nothing was trained or measured here.";
      font-style: italic;
    }
    :host {
      font-size: 9.5pt;
    }
    .chip {
      print-color-adjust: exact;
    }
    ::placeholder {
      color: transparent;
    }
    h3,
    h4,
    p.print-only,
    .key,
    :has(+ poslab-matrix) {
      break-inside: avoid;
      break-after: avoid;
    }
    svg,
    table,
    tr,
    poslab-matrix,
    poslab-proof {
      break-inside: avoid;
    }
    .layout {
      display: block;
    }
    figure {
      border: 0;
      padding-block: 0;
    }
  }
`;
