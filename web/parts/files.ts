// Files that a reader gives: chosen with a button that looks like every other, or dropped on an element.

import { html, type LitElement, type TemplateResult } from "lit";

/** The button; panels/styles.ts gives it its look. */
export function renderFileButton(title: string, accept: string, take: (file: File) => void): TemplateResult {
  return html`<label class="file"
    ><input
      type="file"
      accept=${accept}
      @change=${(event: Event) => {
        const input = event.target as HTMLInputElement;
        const file = input.files?.[0];
        if (file) take(file);
        // So that choosing the same file again, after it was changed, is noticed.
        input.value = "";
      }}
    /><span>${title}</span></label
  >`;
}

/** Lets files be dropped anywhere on an element. */
export class FileDrop {
  /** Something is being held over the element. */
  over = false;

  /** `take` gets undefined when what was dropped is no file. */
  constructor(host: LitElement, take: (file: File | undefined) => void) {
    const show = (over: boolean) => {
      if (over === this.over) return;
      this.over = over;
      host.requestUpdate();
    };
    host.addEventListener("dragover", (event) => {
      event.preventDefault();
      show(true);
    });
    host.addEventListener("dragleave", () => show(false));
    host.addEventListener("drop", (event) => {
      event.preventDefault();
      show(false);
      take(event.dataTransfer?.files[0]);
    });
  }
}
