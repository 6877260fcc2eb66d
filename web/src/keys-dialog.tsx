import { useContext } from 'preact/hooks';
import type { GameClient } from './game-client';
import { LanguageContext, useMessage } from './language';
import type { Language } from './messages';
import { useModalDialog } from './modal-dialog';

/** The keys and gestures in groups: what is pressed, and what it does. */
const GROUPS: Record<Language, [string, [string, string][]][]> = {
  en: [
    [
      'The game',
      [
        ['← →', 'previous and next move (also the wheel over the board)'],
        ['↑ ↓', 'the variation before and after'],
        ['Home End', 'the start and the last move'],
        ['Page up, down', 'the previous and next game of the list in the library'],
        ['Ctrl-Z', 'undo; Ctrl-Shift-Z redoes'],
        ['Shift-Enter', 'a new line in a comment; Enter saves it'],
      ],
    ],
    [
      'Actions',
      [
        ['F', 'turn the board'],
        ['X', 'X-ray'],
        ['L', 'engine on or off'],
        ['Space', 'play the engine’s best move (analysis)'],
        ['?', 'this list'],
      ],
    ],
    [
      'On the board, after Tab',
      [
        ['← ↑ → ↓', 'go from square to square; a letter goes to a file'],
        ['Enter', 'pick up and put down'],
        ['Esc', 'cancel; while you retry mistakes, go to the hints'],
      ],
    ],
    [
      'Arrows and circles',
      [
        ['Right button', 'drag for an arrow, click for a circle; once more removes it'],
        ['Long press', 'the same with a finger'],
        ['Shift', 'red; Alt blue; both yellow'],
      ],
    ],
    ['Against the computer', [['A move before your turn', 'is a premove: it is played after the reply; a click cancels it']]],
  ],
  zh: [
    [
      '对局',
      [
        ['← →', '上一着、下一着（在棋盘上滚动滚轮亦可）'],
        ['↑ ↓', '上一个、下一个变着'],
        ['Home End', '开局、最后一着'],
        ['Page Up/Down', '棋谱库列表中的上一局、下一局'],
        ['Ctrl-Z', '撤销；Ctrl-Shift-Z 重做'],
        ['Shift-Enter', '评注中换行；Enter 保存'],
      ],
    ],
    [
      '操作',
      [
        ['F', '翻转棋盘'],
        ['X', '透视'],
        ['L', '开关引擎'],
        ['空格', '走引擎的最佳着法（分析时）'],
        ['?', '本列表'],
      ],
    ],
    [
      '按 Tab 进入棋盘后',
      [
        ['← ↑ → ↓', '逐格移动；字母键跳到该列'],
        ['Enter', '选子、落子'],
        ['Esc', '取消；重走失误时转到提示'],
      ],
    ],
    [
      '箭头与圆圈',
      [
        ['鼠标右键', '拖动画箭头，单击画圆圈；重复一次则删除'],
        ['长按', '手指画法相同'],
        ['Shift', '红色；Alt 蓝色；同时按为黄色'],
      ],
    ],
    ['与电脑对弈', [['未轮到您时走棋', '为预走：对方走后自动走出；单击棋盘取消']]],
  ],
};

/** The dialog that lists the keys and gestures of the page. */
export function KeysDialog({ onClose }: { client: GameClient; onClose(): void }) {
  const message = useMessage();
  const language = useContext(LanguageContext);
  const dialog = useModalDialog(onClose);
  return (
    <dialog class="keys" ref={dialog} onClose={onClose} aria-label={message('keys')}>
      <form method="dialog">
        <h2>{message('keys')}</h2>
        <div class="key-groups">
          {GROUPS[language].map(([title, entries]) => (
            <section key={title}>
              <h3>{title}</h3>
              <dl>
                {entries.map(([keys, effect]) => (
                  <div key={keys}>
                    <dt>
                      <kbd>{keys}</kbd>
                    </dt>
                    <dd>{effect}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
        <div class="actions">
          <button class="primary" type="submit">
            {message('close')}
          </button>
        </div>
      </form>
    </dialog>
  );
}
