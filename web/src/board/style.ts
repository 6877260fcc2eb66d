/** The element's own style; colours can be set from outside by custom properties. */
export const STYLE = `
:host { display: block; position: relative; user-select: none; -webkit-user-select: none;
  --wood: #efd6a2; --ink: #6a4b25; --dark-cell: #c99f63; --cloth: #2f7d54;
  --first: #b3241c; --second: #1f2d3a; --disc: #fdf4e1; --pick: #3d8b3d; }
svg { display: block; width: 100%; height: auto; overflow: visible; }
.wood { fill: var(--wood); }
.lines path { stroke: var(--ink); stroke-width: 2.4; fill: none; stroke-linecap: round; }
.lines .mark { stroke-width: 2; }
.cell { fill: var(--wood); } .cell.dark { fill: var(--dark-cell); }
.cells .cell { fill: var(--cloth); stroke: #1d5539; stroke-width: 2; }
.names text { font: 600 19px system-ui, sans-serif; fill: var(--ink); text-anchor: middle; dominant-baseline: central; opacity: .8; }
.legend text { font: 44px serif; fill: var(--ink); text-anchor: middle; dominant-baseline: central; letter-spacing: 24px; opacity: .5; }
.man { transition: transform var(--slide, 140ms) ease-out, opacity 120ms; pointer-events: none; }
.man.dragged { transition: none; }
.man.gone { opacity: 0; }
.shade { fill: rgb(0 0 0 / .28); }
.disc { fill: var(--disc); stroke: var(--man); stroke-width: 3; }
.ring { fill: none; stroke: var(--man); stroke-width: 1.4; opacity: .8; }
.side0 { --man: var(--first); } .side1 { --man: var(--second); }
.outline { fill: var(--man); }
.checkered.side0 .outline { fill: #fffaf0; stroke: #30302e; stroke-width: 28; }
.checkered.side1 .outline { fill: #33312e; stroke: #f2ead8; stroke-width: 14; }
.cells.side0 .disc { fill: #1c1f21; stroke: #000; } .cells.side1 .disc { fill: #f7f5ef; stroke: #cfcabd; }
.last { fill: #7fa650; opacity: .42; }
.check { fill: #e0301e; opacity: .5; }
.picked { fill: none; stroke: var(--pick); stroke-width: 5; }
.dot { fill: var(--pick); opacity: .75; }
.cells .dot { fill: #f6e7a1; opacity: .7; }
.prey { fill: none; stroke: var(--pick); stroke-width: 6; opacity: .8; }
.grid { position: absolute; display: grid; }
.row { display: contents; }
.square { cursor: default; outline: none; border-radius: 50%; }
.square.movable, .square.open { cursor: pointer; }
.square.movable { touch-action: none; }
.square:focus-visible { box-shadow: inset 0 0 0 3px #2463c9, 0 0 0 2px #fff8; }
@media (prefers-reduced-motion: reduce) { .man { transition: none; } }
`;
