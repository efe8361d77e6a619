// What the editor's script hands to the page; see state/assets.ts.

import { createEditor } from "./editor.js";

globalThis.poslabAssets?.editor?.({ createEditor });
