import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { GameClient } from './game-client';
import { Bulb, Chart, Eye, Flag, FlipArrows, Next, Pause, Undo } from './icons';
import { useMessage } from './language';
import { pressable } from './pressable';
import { type UiState, isGameOver, isPlayed, isWatched, searchedMove } from './ui-state';
import { WATCH_DELAYS } from './watch';

/** The buttons for the user's actions in the game. */
export function GameActions({ client, state }: { client: GameClient; state: UiState }) {
  const message = useMessage();
  const [confirming, setConfirming] = useState<'resign' | 'analyse'>();
  const { position, xray, game } = state;
  useEffect(() => setConfirming(undefined), [position]);
  const analysing = !isPlayed(game);
  // An analysis stops the clock, which a user may not expect.
  const clockRuns = !analysing && !isGameOver(state) && position?.clock?.running != null;
  /** Brings the question of a button; a click while it is there is the answer, but no double click. */
  const confirm = (event: MouseEvent, question: 'resign' | 'analyse', act: () => Promise<void>) => {
    if (confirming !== question) setConfirming(question);
    else if (event.detail < 2) void act();
  };
  const analyse = (event: MouseEvent) => {
    const act = () => client.setUserSide(analysing ? (position?.side ?? 0) : null);
    if (clockRuns) confirm(event, 'analyse', act);
    else void act();
  };
  if (isWatched(game)) return <WatchActions client={client} state={state} />;
  return (
    <div class="actions game-actions">
      <ActionButton
        label={message('takeBack')}
        icon={<Undo />}
        disabled={!client.canTakeBack()}
        onClick={() => void client.takeBack()}
      />
      <ActionButton
        label={message('hint')}
        icon={<Bulb />}
        disabled={!client.mayMove() || searchedMove(state) !== undefined}
        onClick={() => void client.requestHint()}
      />
      <ActionButton label={message('flip')} icon={<FlipArrows />} onClick={() => client.display.flipBoard()} />
      <ActionButton
        label={message('xray')}
        icon={<Eye />}
        pressed={xray}
        title={message('xrayHelp')}
        onClick={() => client.setXray(!xray)}
      />
      <ActionButton
        label={message(analysing ? 'playOn' : confirming === 'analyse' ? 'confirmStopClock' : 'analyse')}
        icon={<Chart />}
        onClick={analyse}
      />
      <ActionButton
        label={message(confirming === 'resign' ? 'confirmResign' : 'resign')}
        icon={<Flag />}
        disabled={analysing || isGameOver(state)}
        onClick={(event) => confirm(event, 'resign', () => client.resign())}
      />
    </div>
  );
}

/** The buttons of a game of the computer against itself. */
function WatchActions({ client, state }: { client: GameClient; state: UiState }) {
  const message = useMessage();
  const paused = state.game?.paused ?? false;
  return (
    <div class="actions game-actions watch-actions">
      <ActionButton
        label={message(paused ? 'resumeGame' : 'pauseGame')}
        icon={paused ? <Next /> : <Pause />}
        disabled={isGameOver(state)}
        onClick={() => void client.watch.setPaused(!paused)}
      />
      <ActionButton label={message('flip')} icon={<FlipArrows />} onClick={() => client.display.flipBoard()} />
      <ActionButton
        label={message('analyse')}
        icon={<Chart />}
        onClick={() => void client.setUserSide(null)}
      />
      <label class="field watch-speed">
        {message('watchSpeed')}
        <select
          value={client.watch.delay}
          onChange={(event) => client.watch.setDelay(Number(event.currentTarget.value))}
        >
          {WATCH_DELAYS.map((delay) => (
            <option key={delay} value={delay}>
              {message('seconds', delay / 1000)}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

interface ActionButtonProps {
  label: string;
  icon: ComponentChildren;
  disabled?: boolean;
  pressed?: boolean;
  title?: string;
  onClick(event: MouseEvent): void;
}

/** A button with an icon above its label. */
function ActionButton({ label, icon, disabled = false, pressed, title, onClick }: ActionButtonProps) {
  return (
    <button
      class={pressed ? 'pressed' : ''}
      aria-pressed={pressed}
      title={title}
      {...pressable(!disabled, onClick)}
    >
      {icon}
      <span>{label}</span>
    </button>
  );
}
