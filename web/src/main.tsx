import { render } from 'preact';
import './board/element';
import { Page } from './page';
import './style.css';

const page = document.getElementById('page');
if (page) {
  page.replaceChildren();
  render(<Page />, page);
}
