import { ProofFigure } from "../parts/proof.js";
import { define } from "./define.js";

define("poslab-proof", ProofFigure);
