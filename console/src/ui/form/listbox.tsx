import { Check } from 'lucide-react'
import {
  useId,
  useImperativeHandle,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
} from 'react'
import css from './listbox.module.css'
import { findOptions, type Option } from './match-options'
import { usePopupPosition } from './popup-position'

export interface ListboxOption extends Option {
  /** Shown before the label: a monogram, an icon. */
  icon?: ReactNode
  /** A destructive action rather than a value: it follows the values and ignores the search. */
  danger?: boolean
}

export interface ListboxProps {
  /** Accessible name; a form field passes the id of its label in `labelledBy` instead. */
  label: string
  labelledBy?: string
  id?: string
  /** Content of the button: its value. */
  children: ReactNode
  className?: string
  title?: string
  disabled?: boolean
  /** Additional attributes of the button. */
  attributes?: Record<`data-${string}` | `aria-${string}`, string | boolean | undefined>
  options: readonly ListboxOption[]
  value: string | null | undefined
  onSelect: (value: string) => void
  /** Shows a search box above the options. */
  searchable?: boolean
  /** Offers the search text as a value if it matches no option: 'Use de-AT'. */
  allowsCustomValue?: boolean
  loading?: boolean
  /** Shown if no option matches. */
  emptyText?: string
  /** Called with the search text, and with '' when the list opens, so that options can be fetched on demand. */
  onSearch?: (text: string) => void
  /** Called when the focus leaves the button and its list. */
  onBlur?: () => void
  ref?: Ref<HTMLButtonElement>
}

const openingKeys = ['Enter', ' ', 'ArrowDown', 'ArrowUp']

const createCustomOption = (text: string, options: readonly Option[]): ListboxOption[] => {
  const value = text.trim()
  const isOffered = value === '' || options.some((option) => option.value === value || option.label === value)
  return isOffered ? [] : [{ value, label: `Use ${value}` }]
}

/** Creates a keyboard handler that runs the action of a key, unless the key is part of a shortcut or of an IME. */
const createKeyHandler = (findAction: (key: string) => (() => void) | undefined) => (event: KeyboardEvent) => {
  if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
  const action = findAction(event.key)
  if (!action) return
  event.preventDefault()
  // Escape closes the list, not the dialog around it
  event.stopPropagation()
  action()
}

/** The next option after the active one whose label starts with the letter. */
const findNextByLetter = (options: readonly ListboxOption[], active: number, letter: string) =>
  [...options.slice(active + 1), ...options.slice(0, active + 1)].find(({ label }) =>
    label.toLowerCase().startsWith(letter.toLowerCase()),
  )

/** State of a listbox, and the keyboard handler of its button and search box. */
const useListbox = (
  props: ListboxProps,
  button: RefObject<HTMLElement | null>,
  popup: RefObject<HTMLElement | null>,
) => {
  const { options, value, onSelect, searchable, allowsCustomValue, onSearch } = props
  const [isOpen, setIsOpen] = useState(false)
  const [search, setSearch] = useState('')
  const [activeIndex, setActiveIndex] = useState(0)

  const actions = options.filter(({ danger }) => danger)
  const { shownOptions: matching, hiddenCount } = findOptions(
    options.filter(({ danger }) => !danger),
    search,
    value ?? null,
  )
  const shownOptions = [...matching, ...actions, ...(allowsCustomValue ? createCustomOption(search, options) : [])]
  const active = Math.min(activeIndex, shownOptions.length - 1)

  const updateSearch = (text: string) => {
    setSearch(text)
    setActiveIndex(0)
    onSearch?.(text)
  }
  const toggle = (next: boolean) => {
    setIsOpen(next)
    if (next) updateSearch('')
    setSearch('')
    const { shownOptions: initialOptions } = findOptions(options, '', value ?? null)
    const selectedIndex = initialOptions.findIndex((option) => option.value === value)
    setActiveIndex(Math.max(0, selectedIndex))
  }
  const close = () => {
    toggle(false)
    button.current?.focus()
  }
  const pick = (option: ListboxOption | undefined) => {
    if (!option) return
    close()
    onSelect(option.value)
  }
  const moveTo = (index: number) => {
    const next = shownOptions.length ? (index + shownOptions.length) % shownOptions.length : 0
    setActiveIndex(next)
    popup.current?.querySelectorAll('[role=option]')[next]?.scrollIntoView({ block: 'nearest' })
  }
  const moveToLetter = (letter: string) => {
    const option = findNextByLetter(shownOptions, active, letter)
    if (option) moveTo(shownOptions.indexOf(option))
  }
  const openWith = (letter: string) => {
    toggle(true)
    updateSearch(letter)
  }

  const pickActive = () => pick(shownOptions[active])
  const openKeys: Record<string, () => void> = {
    ArrowDown: () => moveTo(active + 1),
    ArrowUp: () => moveTo(active - 1),
    Enter: pickActive,
    Escape: close,
    ...(searchable ? {} : { Home: () => moveTo(0), End: () => moveTo(-1), ' ': pickActive }),
  }
  const closedKeys = Object.fromEntries(openingKeys.map((key) => [key, () => toggle(true)]))
  /** A letter starts a search, or moves to an option; inside the search box it is text. */
  const getLetterAction = (key: string) => {
    if (key.length > 1 || (isOpen && searchable)) return undefined
    if (isOpen) return () => moveToLetter(key)
    return searchable ? () => openWith(key) : undefined
  }
  const onKeyDown = createKeyHandler((key) => (isOpen ? openKeys : closedKeys)[key] ?? getLetterAction(key))
  return {
    isOpen,
    search,
    shownOptions,
    hiddenCount,
    active,
    setActiveIndex,
    updateSearch,
    toggle,
    pick,
    onKeyDown,
  }
}

interface PopupProps {
  props: ListboxProps
  state: ReturnType<typeof useListbox>
  id: string
  comboboxProps: object
  ref: Ref<HTMLDivElement>
}

const Popup = ({ props, state, id, comboboxProps, ref }: PopupProps) => {
  const { label, value, searchable, loading, emptyText = 'Nothing found' } = props
  const { search, shownOptions, hiddenCount, active, setActiveIndex, updateSearch, pick } = state
  return (
    <div ref={ref} className={css.panel}>
      {searchable ? (
        <input
          {...comboboxProps}
          // the user opened the list to search it
          autoFocus
          className={css.search}
          aria-label={`Search ${label}`}
          aria-autocomplete="list"
          placeholder="Search"
          autoComplete="off"
          spellCheck={false}
          value={search}
          onChange={(event) => updateSearch(event.currentTarget.value)}
        />
      ) : null}
      <div id={`${id}-list`} role="listbox" aria-label={label} className={css.list}>
        {shownOptions.map((option, index) => (
          // the focused element, the button or the search box, handles the keyboard
          // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={option.value}
            id={`${id}-${index}`}
            role="option"
            aria-selected={option.value === value}
            className={css.option}
            data-active={index === active || undefined}
            data-danger={option.danger}
            onMouseDown={(event) => event.preventDefault()}
            onMouseMove={() => setActiveIndex(index)}
            onClick={() => pick(option)}
          >
            {option.icon}
            <span>{option.label}</span>
            {option.value === value ? <Check size={14} strokeWidth={2} aria-hidden="true" /> : null}
          </div>
        ))}
      </div>
      {shownOptions.length === 0 ? <p className={css.message}>{loading ? 'Loading' : emptyText}</p> : null}
      {hiddenCount > 0 ? <p className={css.message}>{`${hiddenCount} more: type to find them`}</p> : null}
    </div>
  )
}

/**
 * A button that opens a list of options: the only select of the console, used in lists, forms and the frame. Keyboard
 * and roles follow the select-only combobox of the ARIA Authoring Practices; with `searchable` the focus moves into the
 * search box.
 */
export const Listbox = (props: ListboxProps) => {
  const { label, labelledBy, children, className, title, disabled, attributes, onBlur } = props
  const generatedId = useId()
  const id = props.id ?? generatedId
  const root = useRef<HTMLSpanElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const popup = useRef<HTMLDivElement>(null)
  const state = useListbox(props, button, popup)
  const { isOpen, shownOptions, active, toggle, onKeyDown } = state
  usePopupPosition(isOpen, button, popup)
  useImperativeHandle(props.ref, () => button.current as HTMLButtonElement)
  const comboboxProps = {
    role: 'combobox' as const,
    'aria-haspopup': 'listbox' as const,
    'aria-expanded': isOpen,
    // tells the dialog around it to leave Escape to the list
    'data-list-open': isOpen || undefined,
    'aria-controls': isOpen ? `${id}-list` : undefined,
    'aria-activedescendant': isOpen && shownOptions[active] ? `${id}-${active}` : undefined,
    onKeyDown,
  }
  return (
    <span
      ref={root}
      className={css.root}
      onBlur={(event) => {
        if (root.current?.contains(event.relatedTarget)) return
        if (isOpen) toggle(false)
        onBlur?.()
      }}
    >
      <button
        {...attributes}
        {...comboboxProps}
        aria-label={labelledBy ? undefined : label}
        aria-labelledby={labelledBy}
        ref={button}
        id={id}
        type="button"
        title={title}
        disabled={disabled}
        className={className}
        data-expanded={isOpen || undefined}
        onClick={() => toggle(!isOpen)}
      >
        {children}
      </button>
      {isOpen ? <Popup props={props} state={state} id={id} comboboxProps={comboboxProps} ref={popup} /> : null}
    </span>
  )
}
