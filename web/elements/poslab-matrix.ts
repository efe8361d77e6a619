import { MatrixFigure } from "../parts/matrix.js";
import { define } from "./define.js";

define("poslab-matrix", MatrixFigure);
