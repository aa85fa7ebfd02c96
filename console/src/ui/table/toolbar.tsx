import { ListFilter, RefreshCw, SlidersHorizontal, TriangleAlert, X } from 'lucide-react'
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { IconButton } from '../button'
import boxCss from '../form/text-field.module.css'
import css from './toolbar.module.css'

export interface FilterInputProps {
  /** Accessible name and placeholder: 'Filter accounts'. */
  label: string
  value: string
  onChange: (text: string) => void
  /** Delay after the last keystroke. */
  debounceMs?: number
}

/** The text filter of a list. */
export const FilterInput = ({ label, value, onChange, debounceMs = 0 }: FilterInputProps) => {
  const [text, setText] = useState(value)
  const [lastValue, setLastValue] = useState(value)
  const [reportedText, setReportedText] = useState(value)
  const [replacementCount, setReplacementCount] = useState(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // a value that changed from outside (back button, cleared filters) replaces the typed text
  if (value !== lastValue) {
    setLastValue(value)
    if (value !== reportedText) {
      setText(value)
      setReportedText(value)
      setReplacementCount(replacementCount + 1)
    }
  }
  // typed text that was not reported yet must not return after its replacement
  useEffect(() => () => clearTimeout(timer.current), [replacementCount])
  const updateText = (nextText: string) => {
    setText(nextText)
    clearTimeout(timer.current)
    const reportChange = () => {
      setReportedText(nextText)
      onChange(nextText)
    }
    if (debounceMs > 0 && nextText) timer.current = setTimeout(reportChange, debounceMs)
    else reportChange()
  }
  return (
    <label className={`${boxCss.box} ${css.filter}`}>
      <ListFilter size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className="visually-hidden">{label}</span>
      <input
        type="search"
        aria-keyshortcuts="/"
        value={text}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => updateText(event.currentTarget.value)}
      />
      {text ? (
        <IconButton icon={X} iconSize={14} size="sm" label="Clear filter" onClick={() => updateText('')} />
      ) : null}
    </label>
  )
}

export interface UpdatedAtProps {
  /** When the rows were loaded, in ms since 1970; undefined before the first load. */
  updatedAt: number | undefined
  /** The last refresh failed. */
  outdated?: boolean
  pending?: boolean
  onRefresh: () => void
}

const formatTimeOfDay = (timestamp: number) => new Date(timestamp).toLocaleTimeString('en-GB')

/** The age of the rows, and a refresh button. */
export const UpdatedAt = ({ updatedAt, outdated = false, pending, onRefresh }: UpdatedAtProps) => (
  <span className={css.updated}>
    {updatedAt && !outdated ? <span className={css.time}>{`Updated ${formatTimeOfDay(updatedAt)}`}</span> : null}
    <span role="status" className={css.outdated}>
      {updatedAt && outdated ? (
        <>
          <TriangleAlert size={14} strokeWidth={1.75} aria-hidden="true" />
          {`Not updated since ${formatTimeOfDay(updatedAt)}`}
        </>
      ) : null}
    </span>
    <span className={css.refresh} data-pending={pending || undefined}>
      <IconButton icon={RefreshCw} iconSize={14} label="Refresh" aria-busy={pending || undefined} onClick={onRefresh} />
    </span>
  </span>
)

export interface ToolbarProps {
  /** The text filter. */
  filter?: ReactNode
  /** Filter selects; below 768 px they move under 'Filters'. */
  children?: ReactNode
  /** Number of active filters, for the 'Filters' button. */
  activeCount?: number
  /** Removes all filters; offered from two active filters on. */
  onClear?: () => void
  /** Shown at the right: the time of the last update. */
  end?: ReactNode
}

/** The filters and the update time above a list. */
export const Toolbar = ({ filter, children, activeCount = 0, onClear, end }: ToolbarProps) => {
  const [open, setOpen] = useState(false)
  const panelId = useId()
  return (
    <div className={css.toolbar} role="group" aria-label="Filters">
      {filter}
      {children ? (
        <>
          <button
            type="button"
            className={css.toggle}
            aria-expanded={open}
            aria-controls={panelId}
            onClick={() => setOpen(!open)}
          >
            <SlidersHorizontal size={16} strokeWidth={1.75} aria-hidden="true" />
            Filters
            {activeCount > 0 ? <span className={css.activeCount}>{activeCount}</span> : null}
          </button>
          <div id={panelId} className={css.filters} data-open={open || undefined}>
            {children}
            {onClear && activeCount > 1 ? (
              <button
                type="button"
                className={css.clear}
                onClick={(event) => {
                  // this button disappears, and with it the focus
                  event.currentTarget.parentElement?.querySelector<HTMLElement>('[role=combobox]')?.focus()
                  onClear()
                }}
              >
                Clear all
              </button>
            ) : null}
          </div>
        </>
      ) : null}
      {end ? <div className={css.end}>{end}</div> : null}
    </div>
  )
}
