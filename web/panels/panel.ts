// What all panels share: properties made from the PROPS list, waking up near the viewport, painting by animation frame
// only while visible, and sentences about values that are not allowed.

import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { firstControl, lastControl } from "../parts/focus.js";
import { nextFrame } from "../parts/frame.js";
import { renderNumber, renderRadio, renderSelect, renderText, type Field, type Option } from "./fields.js";
import { renderSlider, type SliderOptions } from "./slider.js";
import { PropError, parseProp, propsOf, textOf, type PanelName, type PropValue } from "../state/props.js";

/** Lit's property declarations for the props of a panel. */
export function declarationsOf(panel: PanelName): PropertyDeclarations {
  return Object.fromEntries(propsOf(panel).map(({ name }) => [name, { attribute: name }]));
}

interface Source {
  subscribe(listener: () => void): () => void;
}

export interface PropChange {
  panel: PanelName;
  name: string;
  value: PropValue;
}

/** Messages of a training are shown at most so often; more would only take time from the training itself. */
const refreshMs = 250;
/** Panels that are to render then, all at once: each painting costs a frame of the whole page. */
const waiting = new Set<Panel>();

function renderWaiting(): void {
  for (const panel of waiting) panel.requestUpdate();
  waiting.clear();
}

export abstract class Panel extends LitElement {
  abstract readonly panel: PanelName;
  /** True once the panel came near the viewport; it renders and computes nothing before. */
  near = false;
  #visible = false;
  #complaints = new Map<string, string>();
  #observers: IntersectionObserver[] = [];
  readonly #settings = Object.assign(document.createElement("p"), { className: "print-only" });

  readonly #wake = () => {
    if (this.near) return;
    this.near = true;
    this.toggleAttribute("awake", true);
    this.requestUpdate();
    void this.updateComplete.then(() => this.#handOverFocus());
  };

  /** Where the focus was before it came to this place while it was empty. */
  #cameFrom: EventTarget | null = null;
  readonly #reached = (event: FocusEvent) => {
    if (event.composedPath()[0] !== this) return;
    this.#cameFrom = event.relatedTarget;
    this.#wake();
  };

  /** Fills in the usual values; every panel's constructor calls it with its own name. */
  protected useFallbacks(panel: PanelName): void {
    for (const { name, fallback } of propsOf(panel)) Object.assign(this, { [name]: fallback });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.near) this.#offerFocus();
    this.#watch("600px 0px", (inside) => {
      if (inside) this.#wake();
    });
    // A handout shows what nobody has scrolled to, too.
    globalThis.addEventListener("poslab-wake", this.#wake);
    this.#watch("100px 0px", (inside) => {
      this.#visible = inside;
      if (inside) this.requestUpdate();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    globalThis.removeEventListener("poslab-wake", this.#wake);
    waiting.delete(this);
    for (const observer of this.#observers) observer.disconnect();
    this.#observers = [];
  }

  /** An empty place has no control, so keys and screen readers would pass it by; until it wakes it is one itself. */
  #offerFocus(): void {
    this.tabIndex = 0;
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", `Panel ${this.panel}, which loads when it is reached`);
    this.addEventListener("focusin", this.#reached);
  }

  /** What the place stood for is there now; whoever came by keys goes on from its first control, or from its last when
   * they came from below. */
  #handOverFocus(): void {
    const above = !(this.#cameFrom instanceof Node)
      || (this.compareDocumentPosition(this.#cameFrom) & Node.DOCUMENT_POSITION_FOLLOWING) === 0;
    const here = this.matches(":focus") && !this.shadowRoot?.activeElement;
    this.#cameFrom = null;
    this.removeEventListener("focusin", this.#reached);
    // First the attributes: Chromium takes the focus away from inside a host that loses its tabindex.
    for (const name of ["tabindex", "role", "aria-label"]) this.removeAttribute(name);
    if (here) (above ? firstControl : lastControl)(this.renderRoot)?.focus();
  }

  /** Whether drawing makes sense at all. */
  get visible(): boolean {
    return this.#visible && document.visibilityState === "visible";
  }

  /** Renders soon, together with whatever else changes until then. */
  protected refresh(): void {
    if (!this.#visible) return;
    if (waiting.size === 0) setTimeout(renderWaiting, refreshMs);
    waiting.add(this);
  }

  /** Renders in an animation frame, so any number of messages cost one painting and a hidden tab none. */
  protected override async scheduleUpdate(): Promise<void> {
    await nextFrame();
    await super.scheduleUpdate();
    if (this.hasUpdated) this.#settings.textContent = this.#settingsInWords();
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot();
    root.prepend(this.#settings);
    return root;
  }

  /** Whether a setting has a say in what the panel shows just now. */
  protected matters(_name: string): boolean {
    return true;
  }

  /** What the controls are set to, for paper, which leaves the controls themselves out. */
  #settingsInWords(): string {
    if (!this.renderRoot.querySelector(".layout > .controls")) return "";
    const words = propsOf(this.panel).map((prop) => {
      const chosen = this.renderRoot.querySelector(
        `[type="radio"][name="${prop.name}"]:checked, [name="${prop.name}"] > option:checked`,
      );
      const value = chosen?.closest("label, option")?.textContent.trim() ?? textOf(prop, this.field(prop.name).value);
      if (value === "" || !this.matters(prop.name)) return "";
      const written = prop.kind === "text" ? `“${value}”` : prop.kind === "choices" ? value.replaceAll(",", ", ") : value;
      return `${prop.title}: ${written}`;
    });
    return `Settings: ${words.filter(Boolean).join("; ")}.`;
  }

  /** Far from the viewport a panel is an empty place. */
  protected override shouldUpdate(): boolean {
    return this.near;
  }

  override attributeChangedCallback(name: string, old: string | null, text: string | null): void {
    const prop = propsOf(this.panel).find((each) => each.name === name);
    if (!prop) return super.attributeChangedCallback(name, old, text);
    try {
      Object.assign(this, { [name]: text === null ? prop.fallback : parseProp(prop, text) });
      this.#complaints.delete(name);
    } catch (error) {
      if (!(error instanceof PropError)) throw error;
      this.#complaints.set(name, error.message);
      Object.assign(this, { [name]: prop.fallback });
    }
    this.requestUpdate();
  }

  /** Sets a prop by what the reader typed or chose and tells the page; an impossible value is said and not taken. */
  protected change(name: string, text: string): boolean {
    const prop = propsOf(this.panel).find((each) => each.name === name);
    if (!prop) throw new Error(`The panel ${this.panel} has no property ${JSON.stringify(name)}.`);
    try {
      const value = parseProp(prop, text);
      Object.assign(this, { [name]: value });
      this.#complaints.delete(name);
      const detail: PropChange = { panel: this.panel, name, value };
      this.dispatchEvent(new CustomEvent("poslab-change", { detail, bubbles: true, composed: true }));
    } catch (error) {
      if (!(error instanceof PropError)) throw error;
      const current = textOf(prop, (this as unknown as Record<string, PropValue>)[name] as PropValue);
      const kept = `${textOf(prop, prop.fallback)} is used instead.`;
      this.#complaints.set(name, error.message.replace(kept, `${current} stays.`));
    }
    this.requestUpdate();
    return !this.#complaints.has(name);
  }

  /** A setting as its control sees it. */
  protected field(name: string): Field {
    const prop = propsOf(this.panel).find((each) => each.name === name);
    if (!prop) throw new Error(`The panel ${this.panel} has no property ${JSON.stringify(name)}.`);
    return {
      prop,
      value: (this as unknown as Record<string, PropValue>)[name] as PropValue,
      invalid: this.#complaints.has(name),
      change: (text) => this.change(name, text),
    };
  }

  /** A slider with its number field and a button back to the usual value. A slider over several powers of ten moves
   * along their exponents. */
  protected renderSlider(name: string, options: SliderOptions = {}): TemplateResult {
    return renderSlider(this.field(name), options);
  }

  protected renderNumber(name: string): TemplateResult {
    return renderNumber(this.field(name));
  }

  /** One of the values of a choice, as a radio button. */
  protected renderRadio(name: string, value: string, title: string): TemplateResult {
    return renderRadio(this.field(name), value, title);
  }

  /** A choice as a list that opens, with a line below it. */
  protected renderSelect(name: string, options: readonly Option[], note?: string): TemplateResult {
    return renderSelect(this.field(name), options, note);
  }

  protected renderText(name: string): TemplateResult {
    return renderText(this.field(name));
  }

  protected renderComplaints(): TemplateResult | typeof nothing {
    if (this.#complaints.size === 0) return nothing;
    return html`<div class="complaints" role="status">
      ${[...this.#complaints.values()].map((sentence) => html`<p class="warning">${sentence}</p>`)}
    </div>`;
  }

  /** Acts on every change of something that lives longer than the panel; draws anew when nothing else is asked. */
  protected follow(source: Source, act: () => void = () => this.refresh()): void {
    let stop = () => {};
    this.addController({
      hostConnected: () => {
        stop = source.subscribe(act);
      },
      hostDisconnected: () => stop(),
    });
  }

  #watch(rootMargin: string, act: (inside: boolean) => void): void {
    const observer = new IntersectionObserver(
      (entries) => act(entries.at(-1)?.isIntersecting ?? false),
      { rootMargin },
    );
    observer.observe(this);
    this.#observers.push(observer);
  }
}
