import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type uPlot from 'uplot';
import { serviceNow } from '../api/clock.ts';
import { useAnswer } from '../state/answers.ts';
import { theme } from '../state/theme.ts';
import { DAY_MS, type Figure, formatCompact, formatDay, formatNumber } from '../text/format.ts';

export interface Series {
  label: string;
  /** Null where there is none. */
  values: (Figure | null)[];
  /** A token of the colours. */
  colour: '--accent' | '--held';
  /** Filled down to the zero line. */
  isFilled?: boolean;
}

interface ChartProps {
  label: string;
  /** The days, in milliseconds since 1970, ascending. The last one is not over yet. */
  times: number[];
  series: Series[];
  small?: boolean;
}

/** Thin lines, the zero line, and the exact figures at the pointer, or where the arrows are. */
export function Chart({ label, times, series, small }: ChartProps) {
  const [at, setAt] = useState<number | null>(null);
  const { holder, pointAt } = usePlot(times, series, setAt);
  const last = times.length - 1;
  const shown = Math.min(at ?? last, last);
  const time = dayName(times[shown] ?? 0);
  const figureOf = (value: Figure | null = null) => (value === null ? '–' : formatNumber(value));
  const figures = series.map((one) => ({ ...one, figure: figureOf(one.values[shown]) }));
  return (
    <div class={small ? 'chart small' : 'chart'}>
      <div class="readout" aria-hidden="true">
        <span>{time}</span>
        {figures.map((one) => (
          <span key={one.label}>
            <span class={one.colour === '--held' ? 'swatch out' : 'swatch'} />
            {one.label} <b>{one.figure}</b>
          </span>
        ))}
      </div>
      <input
        type="range"
        class="visually-hidden"
        aria-label={label}
        aria-valuetext={[time, ...figures.map((one) => `${one.label} ${one.figure}`)].join(', ')}
        min={0}
        max={last}
        value={shown}
        onInput={(event) => pointAt(event.currentTarget.valueAsNumber)}
        onBlur={() => pointAt(null)}
      />
      <div class="plot" ref={holder} aria-hidden="true" />
    </div>
  );
}

const dayName = (at: number): string =>
  serviceNow() - at < DAY_MS ? 'Today so far' : formatDay(at);

type Library = typeof uPlot;

/** A fifth of all the script: it is loaded with the first chart. */
const loadLibrary = (): Promise<Library> => import('uplot').then((loaded) => loaded.default);

/** Draws into `holder`, and calls back with the point that the pointer or `pointAt` is at. */
function usePlot(times: number[], series: Series[], onPoint: (index: number | null) => void) {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const isDark = useIsDark();
  const { value: library } = useAnswer('charts', loadLibrary);
  const data = useMemo(
    () => [times.map((time) => time / 1_000), ...series.flatMap(({ values }) => linesOf(values))],
    [times, series],
  ) as uPlot.AlignedData;
  const latest = useRef({ data, series });
  latest.current = { data, series };
  const shape = series.map(({ label }) => label).join();
  useEffect(() => {
    const element = holder.current;
    if (!library || !element || shape === '') return;
    const size = () => ({ width: element.clientWidth, height: element.clientHeight });
    const colours = coloursOf(element, isDark);
    const options = { ...plotOptions(library, latest.current.series, onPoint, colours), ...size() };
    const drawn = new library(options, latest.current.data, element);
    plot.current = drawn;
    const observer = new ResizeObserver(() => drawn.setSize(size()));
    observer.observe(element);
    return () => {
      observer.disconnect();
      drawn.destroy();
    };
  }, [library, shape, isDark, onPoint]);
  // New figures move the lines; the chart itself stays.
  useEffect(() => plot.current?.setData(data), [data]);
  /** Null hides the crosshair. */
  const pointAt = (index: number | null): void => {
    const time = index === null ? undefined : data[0][index];
    const left = time === undefined ? undefined : plot.current?.valToPos(time, 'x');
    plot.current?.setCursor({ left: left ?? -10, top: left === undefined ? -10 : 0 });
  };
  return { holder, pointAt };
}

function plotOptions(
  library: Library,
  series: Series[],
  onPoint: (index: number | null) => void,
  colour: (token: string) => string,
): Omit<uPlot.Options, 'width' | 'height'> {
  const axis: uPlot.Axis = {
    stroke: colour('--muted'),
    font: '12px system-ui',
    grid: { show: false },
    ticks: { show: false },
  };
  return {
    legend: { show: false },
    // The days are those of UTC, wherever the reader is.
    tzDate: (seconds) => library.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
    // On the right, half of the last day's label.
    padding: [8, 32, 0, 0],
    cursor: { points: { size: 6 }, drag: { x: false, y: false } },
    scales: { y: { range: (_, low, high) => [Math.min(0, low), Math.max(high, 1) * 1.08] } },
    axes: [
      {
        ...axis,
        size: 30,
        gap: 10,
        space: 88,
        incrs: WHOLE_DAYS,
        values: (_, splits) => splits.map(day),
      },
      {
        ...axis,
        size: (_, labels) => 8 + 8 * Math.max(5, ...(labels ?? []).map(({ length }) => length)),
        gap: 6,
        splits: (_, __, low, high) => [Math.min(0, low), 0, nice(high)],
        values: (_, splits) => splits.map((value) => formatCompact(value)),
        grid: { show: true, stroke: colour('--line'), width: 1 },
      },
    ],
    series: [
      {},
      ...series.flatMap((one) => {
        const line = lineOf(one, colour(one.colour));
        return [line, { ...line, dash: [3, 4] }];
      }),
    ],
    hooks: { setCursor: [(plot) => onPoint(plot.cursor.idx ?? null)] },
  };
}

/** Steps of the axis, in seconds: a label for each part of a day would repeat the day. */
const WHOLE_DAYS = [1, 2, 3, 5, 7, 10, 14, 30].map((days) => (days * DAY_MS) / 1_000);

const day = (seconds: number): string => formatDay(seconds * 1_000);

/** The largest round number below the top. */
function nice(high: number): number {
  const step = 10 ** Math.floor(Math.log10(Math.max(1, high)));
  return Math.floor(high / step) * step;
}

/** The days that are over, and the way to the last one, which is not. */
function linesOf(values: (Figure | null)[]): (number | null)[][] {
  const places = values.map((value) => (value === null ? null : Number(value)));
  const last = places.length - 1;
  return [
    places.map((place, index) => (index === last ? null : place)),
    places.map((place, index) => (index < last - 1 ? null : place)),
  ];
}

/** One day alone is a point: a line needs two. */
const isLone = ({ data }: uPlot, series: number): boolean =>
  Array.from(data[series] ?? []).filter((place) => place !== null).length === 1;

function lineOf({ label, isFilled }: Series, stroke: string): uPlot.Series {
  return {
    label,
    stroke,
    width: 1.5,
    points: { show: isLone, size: 6, fill: stroke },
    ...(isFilled ? { fill: stroke.replace(/\)$/, ' / 0.1)') } : {}),
  };
}

/** By their tokens. A canvas does not know `light-dark()`. */
function coloursOf(element: HTMLElement, isDark: boolean): (token: string) => string {
  const styles = getComputedStyle(element);
  return (token) => {
    const both = styles.getPropertyValue(token).matchAll(/oklch\([^)]*\)/g);
    const [light = '', dark = ''] = [...both].map(([one]) => one);
    return isDark ? dark : light;
  };
}

function useIsDark(): boolean {
  const query = matchMedia('(prefers-color-scheme: dark)');
  const [system, setSystem] = useState(query.matches);
  useEffect(() => {
    const media = matchMedia('(prefers-color-scheme: dark)');
    const onChange = (): void => setSystem(media.matches);
    media.addEventListener('change', onChange);
    return () => media.removeEventListener('change', onChange);
  }, []);
  return theme.value === 'system' ? system : theme.value === 'dark';
}
