import { CorpusPicker } from "../parts/corpus_picker.js";
import { define } from "./define.js";

define("poslab-corpus", CorpusPicker);
