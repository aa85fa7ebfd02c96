import { Check } from 'lucide-react'
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import css from './listbox.module.css'
import { usePlace } from './listbox-place'

export interface ListboxEntry {
  value: string
  label: string
  /** Before the label: a monogram, an icon. */
  face?: ReactNode
  /** Something to do rather than a value to choose. */
  danger?: boolean
}

export interface ListboxProps {
  /** What is chosen here. */
  label: string
  /** What the button shows; its value. */
  children: ReactNode
  className?: string
  title?: string
  /** Drawn as in use, small, wrong: for the sheet of the button and for who hears it. */
  marks?: Record<`data-${string}` | `aria-${string}`, string | true | undefined>
  entries: ListboxEntry[]
  value: string | undefined
  onPick: (value: string) => void
  searchable?: boolean
  loading?: boolean
  /** Told what is searched for, with '' when the list opens: entries may be fetched as they are wanted. */
  onSearch?: (text: string) => void
}

/** More than these nobody reads: whoever has more, types. */
const most = 100

const found = (entries: ListboxEntry[], search: string) => {
  const wanted = search.trim().toLowerCase()
  return wanted ? entries.filter((entry) => entry.danger || entry.label.toLowerCase().includes(wanted)) : entries
}

const opening = ['Enter', ' ', 'ArrowDown', 'ArrowUp']

/**
 * A button that opens a list of values under it. Small and without the large library, for the frame and the lists;
 * forms have Select.
 */
export const Listbox = (props: ListboxProps) => {
  const { label, children, className, title, marks, entries, value, onPick, searchable, loading, onSearch } = props
  const [open, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  const [active, setActive] = useState(0)
  const id = useId()
  const root = useRef<HTMLSpanElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  usePlace(open, button, panel)

  const all = found(entries, search)
  const shown = all.slice(0, most)
  const current = Math.min(active, shown.length - 1)

  const toggle = (next: boolean) => {
    setOpen(next)
    setSearch('')
    if (next) onSearch?.('')
    setActive(
      Math.max(
        0,
        entries.slice(0, most).findIndex((entry) => entry.value === value),
      ),
    )
  }
  const close = () => {
    toggle(false)
    button.current?.focus()
  }
  const pick = (entry: ListboxEntry | undefined) => {
    if (!entry) return
    close()
    onPick(entry.value)
  }
  const move = (to: number) => {
    const next = shown.length ? (to + shown.length) % shown.length : 0
    setActive(next)
    panel.current?.querySelectorAll('[role=option]')[next]?.scrollIntoView({ block: 'nearest' })
  }
  /** A letter on the button goes to the next value that begins with it. */
  const leap = (letter: string) => {
    const turned = [...shown.slice(current + 1), ...shown.slice(0, current + 1)]
    const entry = turned.find((each) => each.label.toLowerCase().startsWith(letter.toLowerCase()))
    if (entry) move(shown.indexOf(entry))
  }

  const steps: Record<string, () => void> = {
    ArrowDown: () => move(current + 1),
    ArrowUp: () => move(current - 1),
    Enter: () => pick(shown[current]),
    Escape: close,
    ...(searchable ? {} : { Home: () => move(0), End: () => move(-1), ' ': () => pick(shown[current]) }),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const step = open ? steps[event.key] : opening.includes(event.key) ? () => toggle(true) : undefined
    if (step) {
      event.preventDefault()
      step()
    } else if (open && !searchable && event.key.length === 1) leap(event.key)
  }
  const combobox = {
    role: 'combobox' as const,
    'aria-haspopup': 'listbox' as const,
    'aria-expanded': open,
    'aria-controls': open ? `${id}-list` : undefined,
    'aria-activedescendant': open && shown[current] ? `${id}-${current}` : undefined,
    // Escape closes the list before it closes a dialog around it
    'data-mantine-stop-propagation': open || undefined,
    onKeyDown,
  }

  return (
    <span
      ref={root}
      className={css.root}
      onBlur={(event) => {
        if (open && !root.current?.contains(event.relatedTarget)) toggle(false)
      }}
    >
      <button
        {...marks}
        {...combobox}
        ref={button}
        type="button"
        aria-label={label}
        title={title}
        className={className}
        data-expanded={open || undefined}
        onClick={() => toggle(!open)}
      >
        {children}
      </button>
      {open ? (
        <div ref={panel} className={css.panel}>
          {searchable ? (
            <input
              {...combobox}
              // the list was opened to be searched
              autoFocus
              className={css.search}
              aria-label={`Search ${label}`}
              aria-autocomplete="list"
              placeholder="Search"
              autoComplete="off"
              spellCheck={false}
              value={search}
              onChange={(event) => {
                setSearch(event.currentTarget.value)
                setActive(0)
                onSearch?.(event.currentTarget.value)
              }}
            />
          ) : null}
          <div id={`${id}-list`} role="listbox" aria-label={label} className={css.list}>
            {shown.map((entry, at) => (
              // the focus stays where the keys are heard
              // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
              <div
                key={entry.value}
                id={`${id}-${at}`}
                role="option"
                aria-selected={entry.value === value}
                className={css.option}
                data-active={at === current || undefined}
                data-danger={entry.danger}
                onMouseDown={(event) => event.preventDefault()}
                onMouseMove={() => setActive(at)}
                onClick={() => pick(entry)}
              >
                {entry.face}
                <span>{entry.label}</span>
                {entry.value === value ? <Check size={14} strokeWidth={2} aria-hidden="true" /> : null}
              </div>
            ))}
          </div>
          {all.length === 0 ? <p className={css.note}>{loading ? 'Loading' : 'Nothing found'}</p> : null}
          {all.length > most ? <p className={css.note}>{`${all.length - most} more: type to find them`}</p> : null}
        </div>
      ) : null}
    </span>
  )
}
