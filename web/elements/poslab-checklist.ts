import { ChecklistPanel } from "../panels/checklist.js";
import { define } from "./define.js";

define("poslab-checklist", ChecklistPanel);
