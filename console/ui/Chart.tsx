import { useMemo, useState } from 'preact/hooks';
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

const dayName = (time: number): string =>
  serviceNow() - time < DAY_MS ? 'Today so far' : formatDay(time);

/** The zero line, a few figures beside it, and the exact ones at the pointer or the arrows. */
function Plot({ label, times, series, small, hrefOf, nameOf = dayName, Days }: PlotProps) {
  const { route } = useLocation();
  const [at, setAt] = useState<number | null>(null);
  const last = times.length - 1;
  const shown = Math.min(at ?? last, last);
  const scale = useMemo(
    () => scaleOf(series.flatMap(({ values }) => values.map(Number))),
    [series],
  );
  const ticks = ticksOf(scale);
  const open = (index: number): void => {
    const time = times[index];
    if (hrefOf && time !== undefined) route(hrefOf(time));
  };
  // Those who use no pointer have the range.
  const pointer = {
    onPointerMove: (event: PointerEvent) => setAt(dayAt(event, times.length)),
    onPointerLeave: () => setAt(null),
    onClick: (event: MouseEvent) => open(dayAt(event, times.length)),
  };
  const said = series.map((one) => `${one.label} ${figureOf(one, shown)}`);
  return (
    <div class={small ? 'chart small' : 'chart'}>
      <div class="readout" aria-hidden="true">
        <span>{nameOf(times[last] ?? 0)}</span>
        <Figures series={series} at={last} />
      </div>
      <input
        type="range"
        class="visually-hidden"
        aria-label={label}
        aria-valuetext={[nameOf(times[shown] ?? 0), ...said].join(', ')}
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
          {at !== null && (
            <div class="tip" style={besideOf(shown, times.length)}>
              <b>{nameOf(times[shown] ?? 0)}</b>
              <Figures series={series} at={shown} />
            </div>
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

/** The day below the pointer. */
function dayAt(event: MouseEvent, count: number): number {
  const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
  const index = Math.floor((count * (event.clientX - left)) / width);
  return Math.max(0, Math.min(count - 1, index));
}

const figureOf = ({ values }: Series, index: number): string => {
  const value = values[index] ?? null;
  return value === null ? '–' : formatNumber(value);
};

/** What each colour stands for, with the figures of a day. */
const Figures = ({ series, at }: { series: Series[]; at: number }) => (
  <>
    {series.map((one) => (
      <span key={one.label}>
        <i class="swatch" style={{ background: `var(${one.colour})` }} />
        {one.label} <b>{figureOf(one, at)}</b>
      </span>
    ))}
  </>
);

/** On the side of the day that has room. */
const besideOf = (at: number, count: number): Record<string, string> =>
  at > count / 2
    ? { right: `${(100 * (count - at)) / count}%` }
    : { left: `${(100 * (at + 1)) / count}%` };

/** Where the middle of a day is. */
const middleOf = (index: number, count: number) => ({ left: `${(100 * (index + 0.5)) / count}%` });

const DayLabels = ({ times }: { times: number[] }) => (
  <div class="day-labels">
    {labelledDays(times.length).map((index) => (
      <span key={index} style={middleOf(index, times.length)}>
        {formatDay(times[index] ?? 0)}
      </span>
    ))}
  </div>
);

function Bars({ series, scale, times, at }: DaysProps) {
  const zero = placeOf(0, scale);
  const looks = (index: number): string =>
    `${index === at ? 'at' : ''} ${index === times.length - 1 ? 'open' : ''}`;
  return (
    <div class="bars">
      {times.map((time, index) => (
        <div key={time} class={looks(index)}>
          {series.map(({ label, colour, values }) => {
            const value = Number(values[index]);
            const place = placeOf(value, scale);
            const [bottom, height] = [Math.min(zero, place), Math.abs(place - zero)];
            const look = { bottom: `${bottom}%`, height: `${height}%`, '--bar': `var(${colour})` };
            return <span key={label}>{value !== 0 && <i style={look} />}</span>;
          })}
        </div>
      ))}
    </div>
  );
}

function Lines({ series, scale, times, at }: DaysProps) {
  const zero = 100 - placeOf(0, scale);
  return (
    <>
      <svg viewBox={`0 0 ${times.length} 100`} preserveAspectRatio="none" aria-hidden="true">
        {series.map(({ label, colour, values, isFilled }) => {
          const points = values.flatMap((value, index) =>
            value === null ? [] : [`${index + 0.5} ${100 - placeOf(Number(value), scale)}`],
          );
          if (points.length === 0) return null;
          const ends = `${times.length - 0.5} ${zero}L${points[0]?.split(' ')[0]} ${zero}`;
          return (
            <g key={label} style={{ color: `var(${colour})` }}>
              {isFilled && <path class="fill" d={`M${points.join('L')}L${ends}Z`} />}
              {points.length > 1 && <path d={`M${points.slice(0, -1).join('L')}`} />}
              <path
                class={points.length === 1 ? 'lone' : 'open'}
                d={`M${points.slice(-2).join('L')}h0.01`}
              />
            </g>
          );
        })}
      </svg>
      {at !== null && <i class="cursor" style={middleOf(at, times.length)} />}
    </>
  );
}
