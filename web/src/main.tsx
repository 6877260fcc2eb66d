import { render } from 'preact';
import './board/element';
import { Page } from './page';
import './style.css';

function begin(): void {
  const page = document.getElementById('page');
  page?.replaceChildren();
  if (page) render(<Page />, page);
}

// What index.html draws is painted first; where nobody looks there are no frames to wait for.
if (document.hidden) begin();
else requestAnimationFrame(() => setTimeout(begin));
