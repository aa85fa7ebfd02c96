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
import { watchScheme } from '../theme/scheme'
import { channelHeight, draw, type Drawing } from './waveform-drawing'
import { rulerMarks } from './waveform-ruler'
import css from './waveform.module.css'

/** A stretch that something is known of: a button over the waveform. */
export interface WaveformMark {
  id: string
  tone: 'stt' | 'dtmf' | 'tts' | 'hook'
  /** Somebody waited here. */
  wait?: boolean
  /** Seconds. */
  start: number
  end: number
  channel: number
  /** What stands above it, where there is room. */
  text: string
  /** Its name, with where it stands. */
  label: string
}

export interface WaveformProps extends Drawing {
  /** Another number: there is more to see in the channels. */
  drawn: number
  /** All of it in the window; else so many pixels a second. */
  whole: boolean
  /** What the position is called, where it is in seconds, and in words. */
  position: { label: string; now: number; text: string }
  /** What the marks are together. */
  marksLabel: string
  marks: readonly WaveformMark[]
  onMark: (id: string) => void
  sayTime: (seconds: number) => string
  /** Tells from and to which second is in view. */
  onView: (from: number, to: number) => void
  /** Words over it, where there is nothing to draw. */
  note?: ReactNode
  ref?: Ref<WaveformHandle>
}

export interface WaveformHandle {
  /** A picture of what is in view; null when the browser makes none. */
  picture: () => Promise<Blob | null>
}

interface View {
  from: number
  to: number
  /** Pixels of the window. */
  width: number
}

/** The waveform of a sound with a ruler and marks. Pressed or dragged, it sets the position; it scrolls with what is heard. */
export const Waveform = (props: WaveformProps) => {
  const { audio, duration, channels, drawn, whole, position, marks, marksLabel, onMark, sayTime, onView, note, ref } =
    props
  const host = useRef<HTMLDivElement>(null)
  const lane = useRef<HTMLDivElement>(null)
  const drawing = useRef<ReturnType<typeof draw>>(undefined)
  const [view, setView] = useState<View>({ from: 0, to: 0, width: 0 })

  useEffect(() => {
    const place = host.current
    if (!place) return undefined
    const made = draw(place, { audio, duration, channels })
    const { surfer } = made
    drawing.current = made
    const look = () => {
      const width = surfer.getWidth()
      const all = surfer.getWrapper().clientWidth || width
      const left = surfer.getScroll()
      lane.current?.style.setProperty('--second', `${all / duration}px`)
      lane.current?.style.setProperty('transform', `translateX(${-left}px)`)
      const next = { from: (left / all) * duration, to: Math.min(duration, ((left + width) / all) * duration), width }
      setView(next)
      onView(next.from, next.to)
    }
    surfer.on('redrawcomplete', look)
    surfer.on('scroll', look)
    const forget = watchScheme(() => made.recolour())
    return () => {
      forget()
      drawing.current = undefined
      surfer.destroy()
    }
  }, [audio, duration, channels, onView])

  // a drawing that is made again begins with its usual width
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

  /** Over a mark the wheel moves the sound as it does beside it. */
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
        {rulerMarks(view.from, view.to, view.width).map((at) => (
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
