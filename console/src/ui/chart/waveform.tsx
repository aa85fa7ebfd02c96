import '../../theme/span-colors.css'
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
import { getChannelHeight, drawWaveform, type WaveformSource } from './waveform-drawing'
import { getLabelSeconds } from './waveform-labels'
import { getRulerMarks } from './waveform-ruler'
import css from './waveform.module.css'

/** An annotated time range: a button over the waveform. */
export interface WaveformMark {
  id: string
  tone: 'stt' | 'dtmf' | 'tts' | 'hook'
  /** The caller waited during this time. */
  wait?: boolean
  /** Seconds. */
  start: number
  end: number
  /** Index of the channel. */
  channel: number
  /** Label above the mark, shown if it fits. */
  text: string
  /** Accessible name, with the position. */
  label: string
}

export interface WaveformProps extends WaveformSource {
  /** Number of peaks in the channels. A change redraws the waveform. */
  peakCount: number
  /** Fits the waveform into the window; otherwise each second has a fixed width. */
  fitsWindow: boolean
  /** Label of the position, its value in seconds, and its value in words. */
  position: { label: string; seconds: number; text: string }
  /** Accessible name of the group of marks. */
  marksLabel: string
  marks: readonly WaveformMark[]
  onMark: (id: string) => void
  formatTime: (seconds: number) => string
  /** Called with the first and last visible second. */
  onView: (from: number, to: number) => void
  /** Text over the waveform if there is nothing to draw. */
  note?: ReactNode
  ref?: Ref<WaveformHandle>
}

export interface WaveformHandle {
  /** Returns an image of the visible part; null if the browser can't create one. */
  createImage: () => Promise<Blob | null>
}

/** The visible part of the recording. */
interface VisibleRange {
  /** Seconds. */
  from: number
  to: number
  /** Width in pixels. */
  width: number
}

type DrawingOptions = Pick<
  WaveformProps,
  'audio' | 'duration' | 'channels' | 'peakCount' | 'fitsWindow' | 'position' | 'onView'
>

/** Draws the waveform and keeps the marks above it in step. Returns the visible part. */
const useDrawing = (options: DrawingOptions) => {
  const { audio, duration, channels, peakCount, fitsWindow, position, onView } = options
  const container = useRef<HTMLDivElement>(null)
  const markLane = useRef<HTMLDivElement>(null)
  const drawing = useRef<ReturnType<typeof drawWaveform>>(undefined)
  const [range, setRange] = useState<VisibleRange>({ from: 0, to: 0, width: 0 })

  useEffect(() => {
    if (!container.current) return undefined
    const newDrawing = drawWaveform(container.current, { audio, duration, channels })
    const { surfer } = newDrawing
    drawing.current = newDrawing
    const updateVisibleRange = () => {
      const width = surfer.getWidth()
      const fullWidth = surfer.getWrapper().clientWidth || width
      const left = surfer.getScroll()
      markLane.current?.style.setProperty('--second', `${fullWidth / duration}px`)
      markLane.current?.style.setProperty('transform', `translateX(${-left}px)`)
      const from = (left / fullWidth) * duration
      const to = Math.min(duration, ((left + width) / fullWidth) * duration)
      setRange({ from, to, width })
      onView(from, to)
    }
    surfer.on('redrawcomplete', updateVisibleRange)
    surfer.on('scroll', updateVisibleRange)
    const unsubscribe = subscribeToScheme(() => newDrawing.updateColours())
    return () => {
      unsubscribe()
      drawing.current = undefined
      surfer.destroy()
    }
  }, [audio, duration, channels, onView])

  // a new drawing starts at the default zoom, so set it again
  useEffect(() => drawing.current?.setZoom(fitsWindow), [fitsWindow, audio, duration, channels, onView])
  useEffect(() => {
    if (peakCount > 0) drawing.current?.redraw()
  }, [peakCount])

  useEffect(() =>
    drawing.current?.setAttributes({
      role: 'slider',
      tabindex: '0',
      'aria-label': position.label,
      'aria-valuemin': '0',
      'aria-valuemax': String(Math.round(duration)),
      'aria-valuenow': String(Math.round(position.seconds)),
      'aria-valuetext': position.text,
    }),
  )
  return { container, markLane, drawing, range }
}

/** The waveform of a recording with a ruler and marks. Clicking or dragging sets the position; playback scrolls it. */
export const Waveform = (props: WaveformProps) => {
  const { channels, duration, marks, marksLabel, onMark, formatTime, note, ref } = props
  const { container, markLane, drawing, range } = useDrawing(props)
  useImperativeHandle(ref, () => ({ createImage: async () => (await drawing.current?.createImage()) ?? null }), [
    drawing,
  ])

  const labelSeconds = getLabelSeconds(marks, duration)

  /** The wheel scrolls the waveform over a mark too. */
  const onWheel = ({ deltaX, deltaY, shiftKey }: WheelEvent) => {
    const surfer = drawing.current?.surfer
    const scrollPixels = deltaX || (shiftKey ? deltaY : 0)
    if (surfer && scrollPixels) surfer.setScroll(surfer.getScroll() + scrollPixels)
  }
  const scrollToMark = ({ start, end }: WaveformMark) => {
    if (start < range.from || end > range.to) drawing.current?.surfer.setScrollTime(Math.max(0, start - 1))
  }
  return (
    <div
      className={css.stage}
      style={
        {
          '--channel-count': channels.length,
          '--channel-height': `${getChannelHeight(channels.length)}px`,
        } as CSSProperties
      }
    >
      <div ref={container} className={css.wave} />
      {note ? <p className={css.note}>{note}</p> : null}
      <div className={css.ruler} aria-hidden="true">
        {getRulerMarks(range.from, range.to, range.width).map((second) => (
          <span key={second} style={{ left: ((second - range.from) / (range.to - range.from)) * range.width }}>
            {formatTime(second)}
          </span>
        ))}
      </div>
      <div ref={markLane} role="group" aria-label={marksLabel} className={css.marks} onWheel={onWheel}>
        {marks.map((mark, index) => (
          <button
            key={mark.id}
            type="button"
            className={css.mark}
            data-tone={mark.tone}
            data-wait={mark.wait || undefined}
            aria-label={mark.label}
            title={mark.label}
            style={
              {
                '--start': mark.start,
                '--length': mark.end - mark.start,
                '--label-seconds': labelSeconds[index],
                '--channel': mark.channel,
              } as CSSProperties
            }
            onFocus={() => scrollToMark(mark)}
            onClick={() => onMark(mark.id)}
          >
            <i aria-hidden="true" />
            <span aria-hidden="true">
              <span>{mark.text}</span>
            </span>
          </button>
        ))}
      </div>
    </div>
  )
}
