/** The style of the element. A page can set the colours with the custom properties of the first rule. */
export const STYLE: string = `
:host { display: block; position: relative; user-select: none; -webkit-user-select: none; -webkit-tap-highlight-color: transparent;
  --wood: #ecd09a; --ink: #6b4a22; --light-cell: #f0dfbd; --dark-cell: #b78d5d; --frame: #5f4430; --cloth: #2c7a55; --felt: #1d563b;
  --pick: #2e7d32; --red: #b02318; --black: #232c35; --focus: #1d5fd0; }
svg { display: block; width: 100%; height: auto; overflow: visible; }
.lit.red, .lit.white { stop-color: #fffaf0; } .dim.red { stop-color: #f1dcb6; } .dim.white { stop-color: #ded8ca; }
.lit.black { stop-color: #4d5862; } .dim.black { stop-color: #1b2229; }
.background { fill: var(--wood); } .cells .background { fill: var(--felt); } .checkered .background { fill: var(--frame); }
.border { fill: none; stroke: var(--ink); stroke-width: 4; }
.cells .border { stroke: #123d29; } .checkered .border { stroke: #3d2a1c; stroke-width: 3; }
.lines path { stroke: var(--ink); stroke-width: 2.4; fill: none; stroke-linecap: round; }
.lines .mark { stroke-width: 2.2; opacity: .85; }
.checkered .cell { fill: var(--light-cell); } .checkered .cell.dark { fill: var(--dark-cell); }
.cells .cell { fill: var(--cloth); stroke: #17492f; stroke-width: 2.4; }
.coordinates text { font: 600 20px system-ui, sans-serif; fill: var(--ink); text-anchor: middle; dominant-baseline: central; }
.cells .coordinates text, .checkered .coordinates text { fill: #f3ead8; opacity: .85; }
.legend path { fill: var(--ink); opacity: .5; }
.legend text { font: 46px 'Noto Serif CJK TC', 'Songti TC', STSong, SimSun, serif; fill: var(--ink); text-anchor: middle;
  dominant-baseline: central; letter-spacing: 26px; opacity: .55; }
.piece { transition: transform var(--slide, 140ms) ease-out, opacity 120ms; pointer-events: none; }
.piece.dragged { transition: none; filter: drop-shadow(0 6px 6px rgb(0 0 0 / .35)); }
.piece.captured { opacity: 0; }
.shadow { fill: rgb(30 15 0 / .35); }
.disc { stroke-width: 2.5; }
.red .disc { fill: url(#disc-red); stroke: var(--red); } .red .outline { fill: var(--red); }
.black .disc { fill: url(#disc-black); stroke: #0d1216; } .black .outline { fill: #fbf1dc; }
.white .disc { fill: url(#disc-white); stroke: #b9b1a1; } .white .outline { fill: var(--black); }
.ring { fill: none; stroke-width: 2; } .red .ring { stroke: var(--red); opacity: .7; } .black .ring { stroke: #fbf1dc; opacity: .5; }
.checkered .outline { stroke-linejoin: round; paint-order: stroke; }
.checkered.white .outline { fill: #fffaf0; stroke: #2a2622; stroke-width: 44; }
.checkered.black .outline { fill: #2f2d2b; stroke: #f4e8d0; stroke-width: 34; }
.flat .disc { stroke-width: 0; } .flat.black .disc { fill: #1d242b; } .flat.white .disc { fill: #f4efe4; }
.overlay { pointer-events: none; }
.arrow { fill: #2b6cb0; opacity: .78; } .arrow.rank2 { fill: #3a7d7c; opacity: .66; } .arrow.rank3 { opacity: .5; }
.arrow.rank4 { opacity: .4; } .arrow.rank5 { opacity: .32; } .arrow.attack { fill: #c8321f; opacity: .85; }
.arrow.guard { fill: #2e7d32; opacity: .85; } .arrow.ring { fill: none; stroke: #2b6cb0; stroke-width: 8; }
.shape { opacity: .82; } .shape.green { fill: #15781b; } .shape.red { fill: #b3201a; } .shape.blue { fill: #003f9e; } .shape.yellow { fill: #d99000; }
.shape.circle { fill: none; stroke-width: 7; } .circle.green { stroke: #15781b; } .circle.red { stroke: #b3201a; } .circle.blue { stroke: #003f9e; } .circle.yellow { stroke: #d99000; }
.value { font: 700 30px system-ui, sans-serif; fill: #f4efe2; text-anchor: middle; dominant-baseline: central;
  paint-order: stroke; stroke: #0b2416; stroke-width: 6; } .value.best { fill: #ffd54a; font-size: 36px; }
.issue { fill: none; stroke: #e0301e; stroke-width: 8; }
.cross { stroke: #d11; stroke-width: 8; stroke-linecap: round; fill: none; }
.chain { fill: none; stroke-width: 6; stroke-linecap: round; opacity: .85; } .chain.screen { stroke: #7b3fb0; stroke-dasharray: 4 14; }
.chain.pin { stroke: #d9730d; } .link { fill: none; stroke-width: 6; } .link.screen { stroke: #7b3fb0; } .link.pin { stroke: #d9730d; }
.hanging { fill: none; stroke: #d11; stroke-width: 5; stroke-dasharray: 10 9; opacity: .9; }
.stable { fill: #39c06f; stroke: #07351c; stroke-width: 3; } .free { stroke: #888; stroke-width: 2; }
.free.side0 { fill: #1b2229; } .free.side1 { fill: #fbf6ea; }
.last { fill: #8fae4b; opacity: .5; } .last.corners { fill: none; stroke: #3f7d1f; stroke-width: 6; stroke-linecap: round; stroke-linejoin: round; opacity: .95; }
.premove { fill: #2b6cb0; opacity: .45; } .premove-ring { fill: none; stroke: #2b6cb0; stroke-width: 7; stroke-dasharray: 14 9; }
.check { fill: #e0301e; opacity: .55; }
.picked { fill: none; stroke: var(--pick); stroke-width: 6; }
.picked-cell { fill: #7fb069; opacity: .75; }
.drop-target { fill: var(--pick); opacity: .3; }
.dot { fill: var(--pick); opacity: .8; stroke: #fff; stroke-opacity: .5; stroke-width: 2; }
.cells ~ * .dot { fill: #0c2b1c; opacity: .5; stroke: none; }
.dot.warned { fill: #e0301e; r: 17px; stroke-opacity: 1; stroke-width: 4; } .capture.warned { stroke: #e0301e; stroke-dasharray: 22 12; }
.refused { fill: none; stroke: #8c1d13; stroke-width: 8; stroke-linecap: round; opacity: .9; } .square.refused { cursor: not-allowed; }
.preview { opacity: .5; }
.capture { fill: none; stroke: var(--pick); stroke-width: 7; opacity: .9; }
.grid { position: absolute; display: grid; }
.row { display: contents; }
.square { cursor: default; outline: none; border-radius: 50%; }
.square.movable, .square.open { cursor: pointer; }
.square.movable { touch-action: none; }
.square:focus-visible { box-shadow: 0 0 0 3px #fff, 0 0 0 6px var(--focus); }
@media (prefers-reduced-motion: reduce) { .piece { transition: none; } }
`;
