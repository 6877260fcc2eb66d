// The book: docs/ of the repository as a site, in English and 中文. `cargo xtask book` builds it into book/dist.

import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Rollup } from 'vite';
import { defineConfig, type MarkdownOptions } from 'vitepress';
import { ENGLISH, CHINESE } from './contents';
import { segment } from './search';

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0];

const DOCS = fileURLToPath(new URL('../../docs', import.meta.url));

/** The address that VitePress writes into the pages, which `relative-base.mjs` makes relative. */
const BASE = '/book/';

/** The page of Alfil, which has the book in its folder. */
const PAGE = { link: '/../', target: '_self' };

export default defineConfig({
  title: 'Alfil',
  description: 'Xiangqi, chess and Othello: play, analyse, judge',
  base: BASE,
  srcDir: '../docs',
  outDir: './dist',
  vite: { plugins: [{ name: 'packages', enforce: 'pre', resolveId: resolvePackage }] },
  cacheDir: './node_modules/.cache/vitepress',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    languageAlias: { caddy: 'nginx', console: 'shellsession' },
    anchor: { slugify: anchorOf },
    config: (markdown) => [linkToSources, joinChineseLines].forEach((change) => change(markdown)),
  },
  locales: {
    root: { label: 'English', lang: 'en', themeConfig: { sidebar: ENGLISH, nav: [{ text: 'The page', ...PAGE }] } },
    zh: {
      label: '中文',
      lang: 'zh-CN',
      description: '象棋、国际象棋、黑白棋：对弈、分析、裁决',
      themeConfig: {
        sidebar: CHINESE,
        nav: [{ text: '回到棋盘', ...PAGE }],
        outline: { label: '本页内容', level: [2, 3] },
        docFooter: { prev: '上一页', next: '下一页' },
        darkModeSwitchLabel: '深色',
        lightModeSwitchTitle: '切换到浅色',
        darkModeSwitchTitle: '切换到深色',
        sidebarMenuLabel: '目录',
        returnToTopLabel: '回到顶部',
        langMenuLabel: '语言',
        skipToContentLabel: '跳到正文',
        notFound: { title: '没有这一页', quote: '请从目录中选择。', linkLabel: '回到首页', linkText: '回到首页' },
      },
    },
  },
  themeConfig: {
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        miniSearch: { options: { tokenize: segment }, searchOptions: { combineWith: 'AND' } },
        locales: {
          zh: {
            translations: {
              button: { buttonText: '搜索', buttonAriaLabel: '搜索' },
              modal: {
                displayDetails: '显示详情',
                resetButtonTitle: '清除',
                backButtonTitle: '返回',
                noResultsText: '没有结果：',
                footer: {
                  selectText: '打开',
                  selectKeyAriaLabel: '回车键',
                  navigateText: '选择',
                  navigateUpKeyAriaLabel: '上箭头',
                  navigateDownKeyAriaLabel: '下箭头',
                  closeText: '关闭',
                  closeKeyAriaLabel: 'Esc 键',
                },
              },
            },
          },
        },
      },
    },
  },
});

/** Resolves what the compiled pages import from here: their folder is beside that of the packages, not below it. */
function resolvePackage(this: Rollup.PluginContext, id: string, importer: string | undefined) {
  return importer?.startsWith(DOCS) && /^vue\b/.test(id) ? this.resolve(id, fileURLToPath(import.meta.url)) : undefined;
}

/** Returns the anchor of a heading, as GitHub writes it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/ /g, '-')
    .replace(/[^\p{L}\p{N}_-]/gu, '');
}

/** Shows links to files of the repository outside of docs/ as their paths: the book has only docs/. */
function linkToSources(markdown: MarkdownIt) {
  markdown.core.ruler.push('sources', ({ tokens, env }) => {
    const folder = dirname((env as { path: string }).path);
    for (const { children } of tokens) {
      let path: string | undefined;
      for (const token of children ?? []) {
        if (token.type === 'link_open') {
          const href = token.attrGet('href') ?? '';
          const file = normalize(join(folder, href.split('#')[0]!));
          path = /^(\w+:|#|\/)/.test(href) || file.startsWith(DOCS) || !existsSync(file) ? undefined : file;
          if (path === undefined) continue;
          token.tag = 'span';
          token.attrs = [
            ['class', 'source'],
            ['title', `in the repository: ${path.slice(dirname(DOCS).length + 1)}`],
          ];
        } else if (token.type === 'link_close' && path !== undefined) {
          token.tag = 'span';
          path = undefined;
        }
      }
    }
  });
}

/** Joins the lines of a Chinese paragraph without a space. */
function joinChineseLines(markdown: MarkdownIt) {
  const isWide = (text: string | undefined) => /[\u3000-\u9fff\uff00-\uffef]/.test(text ?? '');
  markdown.renderer.rules.softbreak = (tokens, index) => {
    const [before, after] = [tokens[index - 1]?.content.at(-1), tokens[index + 1]?.content[0]];
    return isWide(before) && isWide(after) ? '' : '\n';
  };
}
