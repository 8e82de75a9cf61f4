import { useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { serviceNow } from '../api/clock.ts';
import { labelledDays, placeOf, type Scale, scaleOf, ticksOf } from '../text/chart-scale.ts';
import { DAY_MS, type Figure, formatCompact, formatDay, formatNumber } from '../text/format.ts';

export interface Series {
  label: string;
  /** Null where there is none. */
  values: (Figure | null)[];
  /** A token of the colours. */
  colour: `--${string}`;
  /** A line filled down to zero. */
  isFilled?: boolean;
}

interface ChartProps {
  label: string;
  /** The days, in milliseconds since 1970, ascending. The last one is not over yet. */
  times: number[];
  series: Series[];
  small?: boolean;
  /** What a time is called, if not by its day. */
  nameOf?: (time: number) => string;
  /** Where a click on a day leads. */
  hrefOf?: (time: number) => string;
}

/** A line for each series: what a figure was at the end of each day. */
export const Chart = (props: ChartProps) => <Plot {...props} Days={Lines} />;

/** A bar for each series and day: how much there was of it. Today is hatched: it is not over. */
export const DayBars = (props: ChartProps) => <Plot {...props} Days={Bars} />;

interface DaysProps {
  series: Series[];
  scale: Scale;
  times: number[];
  /** The index of the day that is pointed at. */
  at: number | null;
}

type PlotProps = ChartProps & { Days: (props: DaysProps) => preact.VNode };

/** The zero line, a few figures beside it, and the exact ones at the pointer or the arrows. */
function Plot({ label, times, series, small, hrefOf, nameOf = dayName, Days }: PlotProps) {
  const { route } = useLocation();
  const [at, setAt] = useState<number | null>(null);
  const last = times.length - 1;
  const shown = Math.min(at ?? last, last);
  const scale = useMemo(() => scaleOf(series.flatMap(({ values }) => knownIn(values))), [series]);
  const ticks = ticksOf(scale);
  const open = (index: number): void => {
    const time = times[index];
    if (hrefOf && time !== undefined) route(hrefOf(time));
  };
  const pointer = usePointer(times.length, at, setAt, open);
  return (
    <div class={small ? 'chart small' : 'chart'}>
      <Readout day={nameOf(times[last] ?? 0)} figures={figuresAt(series, last)} />
      <input
        type="range"
        class="visually-hidden"
        aria-label={label}
        aria-valuetext={[
          nameOf(times[shown] ?? 0),
          ...figuresAt(series, shown).map((one) => `${one.label} ${one.figure}`),
        ].join(', ')}
        min={0}
        max={last}
        value={shown}
        onInput={(event) => setAt(event.currentTarget.valueAsNumber)}
        onKeyDown={(event) => event.key === 'Enter' && open(shown)}
        onBlur={() => setAt(null)}
      />
      <div class="plot" aria-hidden="true" style={{ '--axis': `${axisOf(ticks)}ch` }}>
        <div class={hrefOf ? 'plane linked' : 'plane'} {...pointer}>
          {ticks.map((tick) => (
            <span key={tick} class="tick" style={{ bottom: `${placeOf(tick, scale)}%` }}>
              <span>{formatCompact(tick)}</span>
            </span>
          ))}
          <Days series={series} scale={scale} times={times} at={at} />
          {at !== null && times[shown] !== undefined && (
            <Tip
              day={nameOf(times[shown])}
              figures={figuresAt(series, shown)}
              at={shown}
              count={times.length}
            />
          )}
        </div>
        <DayLabels times={times} />
      </div>
    </div>
  );
}

/** How wide the longest figure beside the ticks is. */
const axisOf = (ticks: number[]): number =>
  Math.max(3, ...ticks.map((tick) => formatCompact(tick).length));

/** What is pointed at. A finger that has no pointer first sees the figures, then opens the day. */
function usePointer(
  count: number,
  at: number | null,
  setAt: (index: number | null) => void,
  open: (index: number) => void,
) {
  const before = useRef(at);
  const indexOf = (event: PointerEvent | MouseEvent): number => {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
    const index = Math.floor((count * (event.clientX - left)) / width);
    return Math.max(0, Math.min(count - 1, index));
  };
  return {
    onPointerDown: () => {
      before.current = at;
    },
    onPointerMove: (event: PointerEvent) => setAt(indexOf(event)),
    onPointerLeave: (event: PointerEvent) => event.pointerType === 'mouse' && setAt(null),
    onClick: (event: MouseEvent) => {
      const index = indexOf(event);
      const isTouch = (event as PointerEvent).pointerType === 'touch';
      setAt(index);
      if (!isTouch || before.current === index) open(index);
    },
  };
}

const dayName = (at: number): string =>
  serviceNow() - at < DAY_MS ? 'Today so far' : formatDay(at);

interface FigureOfDay {
  label: string;
  colour: string;
  figure: string;
}

const figuresAt = (series: Series[], index: number): FigureOfDay[] =>
  series.map(({ label, colour, values }) => {
    const value = values[index] ?? null;
    return { label, colour, figure: value === null ? '–' : formatNumber(value) };
  });

/** Which colour is what, with the figures of the last day. */
const Readout = ({ day, figures }: { day: string; figures: FigureOfDay[] }) => (
  <div class="readout" aria-hidden="true">
    <span>{day}</span>
    {figures.map((one) => (
      <Named key={one.label} {...one} />
    ))}
  </div>
);

const Named = ({ label, colour, figure }: FigureOfDay) => (
  <span>
    <i class="swatch" style={{ background: `var(${colour})` }} />
    {label} <b>{figure}</b>
  </span>
);

interface TipProps {
  day: string;
  figures: FigureOfDay[];
  /** Which of how many days it is about. */
  at: number;
  count: number;
}

/** Floats beside the day, on the side that has room. */
function Tip({ day, figures, at, count }: TipProps) {
  const isBefore = at > count / 2;
  const edge = `${(100 * (isBefore ? count - at : at + 1)) / count}%`;
  return (
    <div class="tip" style={isBefore ? { right: edge } : { left: edge }}>
      <b>{day}</b>
      {figures.map((one) => (
        <Named key={one.label} {...one} />
      ))}
    </div>
  );
}

const DayLabels = ({ times }: { times: number[] }) => (
  <div class="day-labels">
    {labelledDays(times.length).map((index) => (
      <span key={index} style={{ left: middleOf(index, times.length) }}>
        {formatDay(times[index] ?? 0)}
      </span>
    ))}
  </div>
);

/** Where the middle of a day is. */
const middleOf = (index: number, count: number): string => `${(100 * (index + 0.5)) / count}%`;

const knownIn = (values: (Figure | null)[]): number[] =>
  values.filter((value) => value !== null).map(Number);

function Bars({ series, scale, times, at }: DaysProps) {
  const zero = placeOf(0, scale);
  return (
    <div class="bars">
      {times.map((time, index) => (
        <div
          key={time}
          class={[index === at && 'at', index === times.length - 1 && 'open']
            .filter(Boolean)
            .join(' ')}
        >
          {series.map(({ label, colour, values }) => {
            const place = placeOf(Number(values[index] ?? 0), scale);
            const style = {
              bottom: `${Math.min(zero, place)}%`,
              height: `${Math.abs(place - zero)}%`,
            };
            const isSome = Number(values[index] ?? 0) !== 0;
            return (
              <span key={label}>
                {isSome && <i style={{ ...style, '--bar': `var(${colour})` }} />}
              </span>
            );
          })}
        </div>
      ))}
    </div>
  );
}

function Lines({ series, scale, times, at }: DaysProps) {
  const count = times.length;
  const bottom = 100 - placeOf(0, scale);
  return (
    <>
      <svg viewBox={`0 0 ${count} 100`} preserveAspectRatio="none" aria-hidden="true">
        {series.map(({ label, colour, values, isFilled }) => {
          const points = values.flatMap((value, index) =>
            value === null ? [] : [`${index + 0.5} ${100 - placeOf(Number(value), scale)}`],
          );
          const [first = '', final = ''] = [points[0], points.at(-1)];
          if (points.length === 0) return null;
          const end = final.split(' ')[0];
          return (
            <g key={label} style={{ color: `var(${colour})` }}>
              {isFilled && (
                <path
                  class="fill"
                  d={`M${first.split(' ')[0]} ${bottom}L${points.join('L')}L${end} ${bottom}Z`}
                />
              )}
              {points.length > 1 && <path d={`M${points.slice(0, -1).join('L')}`} />}
              <path
                class={points.length === 1 ? 'lone' : 'open'}
                d={`M${points.slice(-2).join('L')}h0.01`}
              />
            </g>
          );
        })}
      </svg>
      {at !== null && <i class="cursor" style={{ left: middleOf(at, count) }} />}
      {at !== null &&
        series.map(({ label, colour, values }) => {
          const value = values[at] ?? null;
          if (value === null) return null;
          const place = { left: middleOf(at, count), bottom: `${placeOf(Number(value), scale)}%` };
          return <i key={label} class="point" style={{ ...place, background: `var(${colour})` }} />;
        })}
    </>
  );
}
