// Formulas of the book: turns blocks ```math, written in TeX, into MathML, which browsers draw by themselves.
// Forges draw the same blocks on their own, so the pages read alike there; nothing is loaded from the network.
// It knows the part of TeX that the book uses. A test checks that no page uses a command that is missing here.
(function () {
  "use strict";

  const LETTERS = {
    alpha: "α", beta: "β", gamma: "γ", Delta: "Δ", epsilon: "ε", zeta: "ζ", eta: "η", theta: "θ", lambda: "λ", mu: "μ",
    nu: "ν", xi: "ξ", pi: "π", rho: "ρ", sigma: "σ", tau: "τ", phi: "φ", chi: "χ", psi: "ψ", omega: "ω", Omega: "Ω",
  };
  const OPERATORS = {
    ge: "≥", le: "≤", ne: "≠", sim: "∼", ll: "≪", approx: "≈", leftarrow: "←", cdot: "·", times: "×", pm: "±",
  };
  const NAMES = ["max", "min", "exp", "ln", "cos", "sin", "tan"];
  const SPACES = { "\\,": "0.17em", "\\;": "0.28em", "\\quad": "1em", "\\qquad": "2em" };
  const ACCENTS = { bar: "¯", hat: "^", dot: "˙" };
  const TABLES = { aligned: ["", ""], pmatrix: ["(", ")"], cases: ["{", ""] };

  const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const row = (inner) => "<mrow>" + inner + "</mrow>";
  const fence = (sign, stretchy) => (sign ? `<mo stretchy="${stretchy}">${escape(sign)}</mo>` : "");

  class Formula {
    constructor(source) {
      this.tokens = source.match(/\\[a-zA-Z]+|\\[^]|\d+(?:\.\d+)?|[^\s]|\s+/g) || [];
      this.at = 0;
      this.tag = null;
    }

    peek() {
      while (/^\s+$/.test(this.tokens[this.at] || "x")) this.at += 1;
      return this.tokens[this.at];
    }

    next() {
      const token = this.peek();
      this.at += 1;
      return token;
    }

    // The text of a group as it stands, with its spaces: for \text, \tag and names of environments.
    raw() {
      if (this.next() !== "{") throw new Error("a group in braces is missing");
      let text = "";
      for (let token; (token = this.tokens[this.at++]) !== "}"; text += token) {
        if (token === undefined) throw new Error("a brace is not closed");
      }
      return text;
    }

    // Everything up to one of the tokens that end it, which is not taken.
    until(ends) {
      let inner = "";
      for (let token; (token = this.peek()) !== undefined && !ends.includes(token); ) inner += this.scripted();
      return inner;
    }

    argument() {
      if (this.peek() !== "{") return this.atom();
      this.next();
      const inner = row(this.until(["}"]));
      this.next();
      return inner;
    }

    // An atom with what stands below and above it.
    scripted() {
      const isBelow = ["\\sum", "\\max", "\\min"].includes(this.peek());
      const base = this.atom();
      let below = null, above = null;
      for (;;) {
        const token = this.peek();
        if (token === "_") { this.next(); below = this.argument(); }
        else if (token === "^") { this.next(); above = this.argument(); }
        else if (token === "'") { this.next(); above = "<mo>′</mo>"; }
        else break;
      }
      if (below && above) return `<msubsup>${base}${below}${above}</msubsup>`;
      if (below) return isBelow ? `<munder>${base}${below}</munder>` : `<msub>${base}${below}</msub>`;
      return above ? `<msup>${base}${above}</msup>` : base;
    }

    atom() {
      const token = this.next();
      if (token === undefined) throw new Error("the formula ends too early");
      if (token === "{") { this.at -= 1; return this.argument(); }
      if (/^\d/.test(token)) return `<mn>${token}</mn>`;
      if (/^[a-zA-Z]$/.test(token)) return `<mi>${token}</mi>`;
      if (token in SPACES) return `<mspace width="${SPACES[token]}"></mspace>`;
      if (!token.startsWith("\\")) return this.sign(token);
      return this.command(token.slice(1));
    }

    sign(token) {
      if (token === "-") return `<mo form="${this.isPrefix() ? "prefix" : "infix"}">−</mo>`;
      if (token === "*") return "<mo>∗</mo>";
      if (token === "|") return '<mo lspace="0" rspace="0" stretchy="false">|</mo>';
      return /[()[\]]/.test(token) ? fence(token, false) : `<mo>${escape(token)}</mo>`;
    }

    // Whether the sign just taken stands before its number: after nothing, an operator or an opening bracket.
    isPrefix() {
      let before = this.at - 2;
      while (/^\s+$/.test(this.tokens[before] || "x")) before -= 1;
      const token = this.tokens[before] || "=";
      return /^[=<>(&{,]$/.test(token) || token === "\\\\" || token.slice(1) in OPERATORS;
    }

    command(name) {
      if (name in LETTERS) return `<mi>${LETTERS[name]}</mi>`;
      if (name in OPERATORS) return `<mo>${escape(OPERATORS[name])}</mo>`;
      if (NAMES.includes(name)) {
        const space = ["(", "\\left"].includes(this.peek()) ? "0" : "0.17em";
        return `<mo lspace="0.17em" rspace="${space}" movablelimits="false">${name}</mo>`;
      }
      switch (name) {
        case "frac": return `<mfrac>${this.argument()}${this.argument()}</mfrac>`;
        case "sqrt": return `<msqrt>${this.argument()}</msqrt>`;
        case "sum": return '<mo largeop="true" movablelimits="false">∑</mo>';
        case "iint": return '<mo largeop="true">∬</mo>';
        case "text": return `<mtext>${escape(this.raw()).replace(/ /g, "\u00a0")}</mtext>`;
        case "mathrel": return row(this.argument());
        case "tag": this.tag = this.raw(); return "";
        case "left": return this.fenced();
        case "begin": return this.table(this.raw());
      }
      if (name in ACCENTS) return `<mover accent="true">${this.argument()}<mo>${ACCENTS[name]}</mo></mover>`;
      throw new Error("unknown command \\" + name);
    }

    fenced() {
      const open = this.next();
      const inner = this.until(["\\right"]);
      this.next();
      return row(fence(open, true) + inner + fence(this.next(), true));
    }

    table(kind) {
      if (!(kind in TABLES)) throw new Error("unknown environment " + kind);
      let rows = "", cells = "";
      for (;;) {
        cells += `<mtd>${row(this.until(["&", "\\\\", "\\end"]))}</mtd>`;
        const token = this.next();
        if (token === "&") continue;
        rows += `<mtr>${cells}</mtr>`;
        cells = "";
        if (token !== "\\\\") break;
      }
      this.raw();
      const [open, close] = TABLES[kind];
      return row(fence(open, true) + `<mtable class="${kind}" displaystyle="true">${rows}</mtable>` + fence(close, true));
    }

    display() {
      const inner = this.until([]);
      const math = `<math display="block">${row(inner)}</math>`;
      const tag = this.tag ? `<span class="formula-tag">(${escape(this.tag)})</span>` : "";
      return `<div class="formula">${math}${tag}</div>`;
    }
  }

  function draw() {
    for (const code of document.querySelectorAll("pre > code.language-math")) {
      try {
        code.parentElement.outerHTML = new Formula(code.textContent).display();
      } catch (error) {
        console.error("formula left as TeX: " + error.message + "\n" + code.textContent);
      }
    }
  }

  if (typeof module !== "undefined") module.exports = { Formula };
  else if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", draw);
  else draw();
})();
