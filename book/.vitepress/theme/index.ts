// The default theme with the fonts of the system: no font is fetched, and Chinese has its own.
import theme from 'vitepress/theme-without-fonts';
import './book.css';

export default theme;
