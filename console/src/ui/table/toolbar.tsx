import { ListFilter, RefreshCw, SlidersHorizontal, TriangleAlert, X } from 'lucide-react'
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { IconButton } from '../button'
import boxCss from '../form/text-field.module.css'
import css from './toolbar.module.css'

export interface FilterInputProps {
  /** Accessible name and placeholder: 'Filter accounts'. */
  label: string
  value: string
  /** Called with the text in lower case. */
  onChange: (text: string) => void
  /** Delay in milliseconds after the last keystroke. */
  debounce?: number
}

/** The text filter of a list. */
export const FilterInput = ({ label, value, onChange, debounce = 0 }: FilterInputProps) => {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // a value that changed from outside (back button, cleared filters) replaces the typed text
  if (value !== known) {
    setKnown(value)
    if (value !== text.toLowerCase()) setText(value)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const type = (next: string) => {
    setText(next)
    clearTimeout(timer.current)
    const tell = () => onChange(next.toLowerCase())
    if (debounce > 0 && next) timer.current = setTimeout(tell, debounce)
    else tell()
  }
  return (
    <label className={`${boxCss.box} ${css.filter}`}>
      <ListFilter size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className="vh">{label}</span>
      <input
        type="search"
        aria-keyshortcuts="/"
        value={text}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => type(event.currentTarget.value)}
      />
      {text ? <IconButton icon={X} iconSize={14} size="sm" label="Clear filter" onClick={() => type('')} /> : null}
    </label>
  )
}

export interface UpdatedAtProps {
  /** When the rows were loaded, in ms since 1970; undefined before the first load. */
  at: number | undefined
  /** The last refresh failed. */
  outdated?: boolean
  pending?: boolean
  onRefresh: () => void
}

const sayClock = (at: number) => new Date(at).toLocaleTimeString('en-GB')

/** The age of the rows, and a refresh button. */
export const UpdatedAt = ({ at, outdated = false, pending, onRefresh }: UpdatedAtProps) => (
  <span className={css.updated}>
    {at && !outdated ? <span className={css.time}>{`Updated ${sayClock(at)}`}</span> : null}
    <span role="status" className={css.outdated}>
      {at && outdated ? (
        <>
          <TriangleAlert size={14} strokeWidth={1.75} aria-hidden="true" />
          {`Not updated since ${sayClock(at)}`}
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
  active?: number
  /** Shown at the right: Updated. */
  end?: ReactNode
}

/** The row above a list. */
export const Toolbar = ({ filter, children, active = 0, end }: ToolbarProps) => {
  const [open, setOpen] = useState(false)
  const panel = useId()
  return (
    <div className={css.tools} role="group" aria-label="Filters">
      {filter}
      {children ? (
        <>
          <button
            type="button"
            className={css.toggle}
            aria-expanded={open}
            aria-controls={panel}
            onClick={() => setOpen(!open)}
          >
            <SlidersHorizontal size={16} strokeWidth={1.75} aria-hidden="true" />
            Filters
            {active > 0 ? <span className={css.active}>{active}</span> : null}
          </button>
          <div id={panel} className={css.filters} data-open={open || undefined}>
            {children}
          </div>
        </>
      ) : null}
      {end ? <div className={css.end}>{end}</div> : null}
    </div>
  )
}
