import { render } from 'preact';
import '../board/src/element';
import { Page } from './page';
import './style.css';
import './layout.css';

function renderPage(): void {
  const root = document.getElementById('page');
  root?.replaceChildren();
  if (root) render(<Page />, root);
}

// The markup of index.html is painted before the page is rendered. A hidden tab gets no animation frames.
if (document.hidden) renderPage();
else requestAnimationFrame(() => setTimeout(renderPage));
