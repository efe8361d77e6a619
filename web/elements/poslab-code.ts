import { CodeField } from "../parts/code_field.js";
import { define } from "./define.js";

define("poslab-code", CodeField);
