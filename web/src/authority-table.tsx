import { useEffect, useState } from 'preact/hooks';
import type { GameClient } from './game-client';
import type { Language } from './messages';
import { gameTitle, sideNames } from './names';
import type { Evidence, RulingSummaryDto } from './wire/types';
import type { UiState } from './ui-state';

type TextKey = 'rules' | 'verdict' | 'mustChange' | 'neither' | 'articles' | 'evidence' | Evidence;

export const RULING_TEXTS: Record<Language, Record<TextKey, string>> = {
  en: {
    rules: 'Rules',
    verdict: 'Verdict',
    mustChange: 'Must change',
    neither: 'neither',
    articles: 'Article',
    evidence: 'Known from',
    text: 'text',
    diagrams: 'diagrams',
    measured: 'measurements',
  },
  zh: {
    rules: '规则',
    verdict: '裁决',
    mustChange: '应变着',
    neither: '双方均可不变',
    articles: '条文',
    evidence: '依据',
    text: '条文',
    diagrams: '图例',
    measured: '程序实测',
  },
};

interface Props {
  client: GameClient;
  state: UiState;
  /** The node whose position is judged. */
  node: number;
  /** The occurrence at which a repetition is judged; by default that of each ruleset. */
  occurrences: number | undefined;
}

/** The verdicts of every ruleset on one repetition, with their articles, what they are known from, and disputes. */
export function AuthorityTable({ client, state, node, occurrences }: Props) {
  const { language, appearance, position } = state;
  const [rulings, setRulings] = useState<RulingSummaryDto[]>([]);
  useEffect(() => {
    // The session rules on the position on the board. While the user steps through the repetition, the table stays.
    if (state.node !== node) return;
    let isShown = true;
    void client.request({ do: 'rule_all', occurrences, chinese: language === 'zh' }).then((response) => {
      if (isShown && response?.rulings) setRulings(response.rulings);
    });
    return () => void (isShown = false);
  }, [node, state.node === node, position?.fen, language]);
  if (rulings.length === 0) return null;
  const texts = RULING_TEXTS[language];
  const names = appearance ? sideNames(appearance, language) : ['', ''];
  return (
    <table>
      <thead>
        <tr>
          {(['rules', 'verdict', 'mustChange', 'articles', 'evidence'] as const).map((key) => (
            <th key={key} scope="col">
              {texts[key]}
            </th>
          ))}
        </tr>
      </thead>
      {rulings.map((ruling) => (
        <tbody key={ruling.ruleset}>
          <tr>
            <th scope="row">{gameTitle(ruling, language)}</th>
            <td data-label={texts.verdict}>{ruling.verdict}</td>
            <td data-label={texts.mustChange}>
              {ruling.must_change !== null ? names[ruling.must_change] : ruling.decided ? texts.neither : '–'}
            </td>
            <td data-label={texts.articles}>{ruling.articles.join(', ') || '–'}</td>
            <td data-label={texts.evidence}>{texts[ruling.evidence]}</td>
          </tr>
          <tr class="reason">
            <td colSpan={5}>
              {ruling.reason}
              {ruling.disputed.map((note) => (
                <p key={note}>{note}</p>
              ))}
            </td>
          </tr>
        </tbody>
      ))}
    </table>
  );
}
