import { CornerDownLeft, Search, type LucideIcon } from 'lucide-react'
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { KeyCaps } from '../key-caps'
import css from './command-palette-view.module.css'
import { Modal } from '../dialog/modal'
import { Highlight } from '../highlight'

export interface PaletteItem {
  id: string
  icon: LucideIcon
  label: string
  /** Shown beside the name: a SID, a realm, an owner. */
  detail?: string
  /** Shows the detail in monospace. */
  mono?: boolean
  /** Shown at the right: 'Account', 'Page', 'Action'. */
  kind: string
  /** URL of the item. An item without one is an action. */
  href?: string
}

export interface PaletteGroup {
  /** 'Records', 'Pages' or 'Actions'. */
  label: string
  items: PaletteItem[]
}

export interface CommandPaletteViewProps {
  opened: boolean
  onClose: () => void
  query: string
  onQuery: (query: string) => void
  /** Groups without items are not rendered. */
  groups: PaletteGroup[]
  /** The record search is still running. */
  pending?: boolean
  /** Receives the focus when the palette closes. */
  returnFocusTo?: Element | null
  /** Called on Enter or click; `newTab` is true with Ctrl or Cmd held. */
  onSelect: (item: PaletteItem, newTab: boolean) => void
}

const countText = (count: number, pending?: boolean) => {
  if (count === 0) return pending ? 'Searching' : 'No results'
  return count === 1 ? '1 result' : `${count} results`
}

const Body = ({ query, onQuery, groups, pending, onSelect }: CommandPaletteViewProps) => {
  const base = useId()
  const list = useRef<HTMLDivElement>(null)
  const shown = groups.filter((group) => group.items.length > 0)
  const items = shown.flatMap((group) => group.items)
  const [chosen, setChosen] = useState<string>()
  const at = Math.max(
    0,
    items.findIndex((item) => item.id === chosen),
  )
  const active = items[at]
  const idOf = (item: PaletteItem) => `${base}-${items.indexOf(item)}`
  const input = useRef<HTMLInputElement>(null)
  // Focus in a layout effect: the focus trap acts later, and keys typed until then would be lost.
  useLayoutEffect(() => input.current?.focus(), [])

  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView?.({ block: 'nearest' })
  }, [active?.id])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && active) {
      event.preventDefault()
      onSelect(active, event.ctrlKey || event.metaKey)
      return
    }
    const to = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: Math.min(at + 8, items.length - 1),
      PageUp: Math.max(at - 8, 0),
    }[event.key]
    if (to === undefined || items.length === 0) return
    event.preventDefault()
    setChosen(items[(to + items.length) % items.length]?.id)
  }

  return (
    <>
      <div className={css.search}>
        <Search size={20} strokeWidth={1.6} aria-hidden="true" />
        <input
          ref={input}
          data-autofocus
          role="combobox"
          aria-label="Search or jump to"
          aria-expanded="true"
          aria-controls={`${base}-list`}
          aria-activedescendant={active ? idOf(active) : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder="Search or jump to"
          value={query}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            setChosen(undefined)
            onQuery(event.currentTarget.value)
          }}
        />
        <KeyCaps keys={['Esc']} />
      </div>
      <div
        ref={list}
        id={`${base}-list`}
        // a listbox must contain options
        role={items.length > 0 ? 'listbox' : undefined}
        aria-label={items.length > 0 ? 'Results' : undefined}
        className={css.list}
        aria-busy={pending || undefined}
      >
        {shown.map((group) => (
          <div key={group.label} role="group" aria-label={group.label}>
            <div className={css.group} aria-hidden="true">
              {group.label}
            </div>
            {group.items.map((item) => (
              <Option
                key={item.id}
                id={idOf(item)}
                item={item}
                query={query}
                active={item === active}
                onHover={setChosen}
                onSelect={onSelect}
              />
            ))}
          </div>
        ))}
        {items.length === 0 ? (
          <p className={css.none}>{pending ? 'Searching' : `Nothing found for '${query}'`}</p>
        ) : null}
      </div>
      <div className={css.foot}>
        <span aria-hidden="true">
          <KeyCaps keys={['↑', '↓']} /> move
        </span>
        <span aria-hidden="true">
          <KeyCaps keys={['Enter']} /> open
        </span>
        <span aria-hidden="true">
          <KeyCaps keys={['Ctrl', 'Enter']} /> open in a new tab
        </span>
        <span className={css.count} role="status">
          {countText(items.length, pending)}
        </span>
      </div>
    </>
  )
}

interface OptionProps {
  id: string
  item: PaletteItem
  query: string
  active: boolean
  onHover: (id: string) => void
  onSelect: CommandPaletteViewProps['onSelect']
}

const Option = ({ id, item, query, active, onHover, onSelect }: OptionProps) => {
  const Icon = item.icon
  return (
    // the focus stays in the input, which handles the keyboard equivalents of a click here
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="option"
      aria-selected={active}
      className={css.option}
      onMouseMove={() => (active ? undefined : onHover(item.id))}
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => onSelect(item, event.ctrlKey || event.metaKey)}
    >
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className={css.label}>
        <Highlight text={item.label} query={query} strong />
      </span>
      {item.detail ? (
        <span className={css.detail} data-mono={item.mono || undefined}>
          <Highlight text={item.detail} query={query} />
        </span>
      ) : null}
      <span className={css.kind}>{item.kind}</span>
      {active ? <CornerDownLeft size={14} strokeWidth={2} aria-hidden="true" /> : null}
    </div>
  )
}

/** Searches pages, records and actions by name. The focus stays in the search box. */
export const CommandPaletteView = (props: CommandPaletteViewProps) => (
  <Modal
    opened={props.opened}
    onClose={props.onClose}
    returnFocusTo={props.returnFocusTo}
    label="Search or jump to"
    className={css.palette}
  >
    <Body {...props} />
  </Modal>
)
