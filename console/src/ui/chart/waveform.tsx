import {
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
  type CSSProperties,
  type ReactNode,
  type Ref,
  type WheelEvent,
} from 'react'
import { subscribeToScheme } from '../../theme/scheme'
import { channelHeight, drawWaveform, type WaveformSource } from './waveform-drawing'
import { getRulerMarks } from './waveform-ruler'
import css from './waveform.module.css'

/** An annotated time range: a button over the waveform. */
export interface WaveformMark {
  id: string
  tone: 'stt' | 'dtmf' | 'tts' | 'hook'
  /** The caller waited here. */
  wait?: boolean
  /** Seconds. */
  start: number
  end: number
  channel: number
  /** Label above the mark, shown if it fits. */
  text: string
  /** Accessible name, with the position. */
  label: string
}

export interface WaveformProps extends WaveformSource {
  /** Redraws the waveform when it changes, because the channels contain more peaks. */
  drawn: number
  /** Fits the waveform into the window; otherwise each second has a fixed width. */
  whole: boolean
  /** Label of the position, its value in seconds, and its value in words. */
  position: { label: string; now: number; text: string }
  /** Accessible name of the group of marks. */
  marksLabel: string
  marks: readonly WaveformMark[]
  onMark: (id: string) => void
  sayTime: (seconds: number) => string
  /** Called with the first and last visible second. */
  onView: (from: number, to: number) => void
  /** Text over the waveform if there is nothing to draw. */
  note?: ReactNode
  ref?: Ref<WaveformHandle>
}

export interface WaveformHandle {
  /** Returns an image of the visible part; null if the browser can't create one. */
  picture: () => Promise<Blob | null>
}

interface View {
  from: number
  to: number
  /** Width of the visible part in pixels. */
  width: number
}

/** The waveform of a recording with a ruler and marks. Clicking or dragging sets the position; playback scrolls it. */
export const Waveform = (props: WaveformProps) => {
  const { audio, duration, channels, drawn, whole, position, marks, marksLabel, onMark, sayTime, onView, note, ref } =
    props
  const host = useRef<HTMLDivElement>(null)
  const lane = useRef<HTMLDivElement>(null)
  const drawing = useRef<ReturnType<typeof drawWaveform>>(undefined)
  const [view, setView] = useState<View>({ from: 0, to: 0, width: 0 })

  useEffect(() => {
    const place = host.current
    if (!place) return undefined
    const made = drawWaveform(place, { audio, duration, channels })
    const { surfer } = made
    drawing.current = made
    const updateVisibleRange = () => {
      const width = surfer.getWidth()
      const all = surfer.getWrapper().clientWidth || width
      const left = surfer.getScroll()
      lane.current?.style.setProperty('--second', `${all / duration}px`)
      lane.current?.style.setProperty('transform', `translateX(${-left}px)`)
      const next = { from: (left / all) * duration, to: Math.min(duration, ((left + width) / all) * duration), width }
      setView(next)
      onView(next.from, next.to)
    }
    surfer.on('redrawcomplete', updateVisibleRange)
    surfer.on('scroll', updateVisibleRange)
    const forget = subscribeToScheme(() => made.recolour())
    return () => {
      forget()
      drawing.current = undefined
      surfer.destroy()
    }
  }, [audio, duration, channels, onView])

  // a new drawing starts at the default zoom, so set it again
  useEffect(() => drawing.current?.zoom(whole), [whole, audio, duration, channels, onView])
  useEffect(() => {
    if (drawn > 0) drawing.current?.renew()
  }, [drawn])

  useEffect(() =>
    drawing.current?.say({
      role: 'slider',
      tabindex: '0',
      'aria-label': position.label,
      'aria-valuemin': '0',
      'aria-valuemax': String(Math.round(duration)),
      'aria-valuenow': String(Math.round(position.now)),
      'aria-valuetext': position.text,
    }),
  )

  useImperativeHandle(ref, () => ({ picture: async () => (await drawing.current?.picture()) ?? null }), [])

  /** The wheel scrolls the waveform over a mark too. */
  const onWheel = ({ deltaX, deltaY, shiftKey }: WheelEvent) => {
    const surfer = drawing.current?.surfer
    const aside = deltaX || (shiftKey ? deltaY : 0)
    if (surfer && aside) surfer.setScroll(surfer.getScroll() + aside)
  }
  const show = ({ start, end }: WaveformMark) => {
    if (start < view.from || end > view.to) drawing.current?.surfer.setScrollTime(Math.max(0, start - 1))
  }
  return (
    <div
      className={css.stage}
      style={{ '--channels': channels.length, '--channel': `${channelHeight(channels.length)}px` } as CSSProperties}
    >
      <div ref={host} className={css.wave} />
      {note ? <p className={css.note}>{note}</p> : null}
      <div className={css.ruler} aria-hidden="true">
        {getRulerMarks(view.from, view.to, view.width).map((at) => (
          <span key={at} style={{ left: ((at - view.from) / (view.to - view.from)) * view.width }}>
            {sayTime(at)}
          </span>
        ))}
      </div>
      <div ref={lane} role="group" aria-label={marksLabel} className={css.marks} onWheel={onWheel}>
        {marks.map((mark) => (
          <button
            key={mark.id}
            type="button"
            className={css.mark}
            data-tone={mark.tone}
            data-wait={mark.wait || undefined}
            aria-label={mark.label}
            title={mark.label}
            style={{ '--start': mark.start, '--length': mark.end - mark.start, '--at': mark.channel } as CSSProperties}
            onFocus={() => show(mark)}
            onClick={() => onMark(mark.id)}
          >
            <i aria-hidden="true" />
            <span aria-hidden="true">{mark.text}</span>
          </button>
        ))}
      </div>
    </div>
  )
}
