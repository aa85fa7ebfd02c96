import { CornerDownLeft, Search, type LucideIcon } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { commandKey, KeyCaps } from '../key-caps'
import css from './command-palette-view.module.css'
import { Modal } from '../dialog/modal'
import { Highlight } from '../highlight'

export interface PaletteItem {
  id: string
  icon: LucideIcon
  label: string
  /** Shown beside the label: a SID, a realm, an owner. */
  detail?: string
  /** Shows the detail in monospace. */
  mono?: boolean
  /** Shown beside the label: 'Account', 'Screen'. Absent for an action. */
  kind?: string
  /** The keys that do the same, shown at the right. */
  keys?: readonly string[]
  /** URL of the item. An item without one is an action. */
  href?: string
}

export interface PaletteGroup {
  /** 'Recent', 'On this page', 'Records', 'Go to', 'Screens' or 'Actions'. */
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

const formatResultCount = (count: number, pending?: boolean) => {
  if (count === 0) return pending ? 'Searching' : 'No results'
  return count === 1 ? '1 result' : `${count} results`
}

/** Number of options that Page Up and Page Down move by. */
const pageStep = 8

/** The active option, and the keys that move it and select it. */
const useActiveOption = (items: readonly PaletteItem[], onSelect: CommandPaletteViewProps['onSelect']) => {
  const [activeId, setActiveId] = useState<string>()
  const activeIndex = Math.max(
    0,
    items.findIndex(({ id }) => id === activeId),
  )
  const activeItem = items[activeIndex]
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && activeItem) {
      event.preventDefault()
      onSelect(activeItem, event.ctrlKey || event.metaKey)
      return
    }
    const nextIndex = {
      ArrowDown: activeIndex + 1,
      ArrowUp: activeIndex - 1,
      PageDown: Math.min(activeIndex + pageStep, items.length - 1),
      PageUp: Math.max(activeIndex - pageStep, 0),
    }[event.key]
    if (nextIndex === undefined || items.length === 0) return
    event.preventDefault()
    setActiveId(items[(nextIndex + items.length) % items.length]?.id)
  }
  return { activeItem, setActiveId, onKeyDown }
}

interface SearchBoxProps extends Pick<CommandPaletteViewProps, 'query' | 'onQuery'> {
  listId: string
  activeOptionId: string | undefined
  onKeyDown: (event: KeyboardEvent) => void
}

const SearchBox = ({ query, onQuery, listId, activeOptionId, onKeyDown }: SearchBoxProps) => (
  <div className={css.search}>
    <Search size={20} strokeWidth={1.6} aria-hidden="true" />
    <input
      data-autofocus
      role="combobox"
      aria-label="Search or jump to"
      aria-expanded="true"
      aria-controls={listId}
      aria-activedescendant={activeOptionId}
      aria-autocomplete="list"
      autoComplete="off"
      spellCheck={false}
      placeholder="Search or jump to"
      value={query}
      onKeyDown={onKeyDown}
      onChange={(event) => onQuery(event.currentTarget.value)}
    />
    <KeyCaps keys={['Esc']} />
  </div>
)

const Footer = ({ status }: { status: string }) => (
  <div className={css.footer}>
    <span aria-hidden="true">
      <KeyCaps keys={['↑', '↓']} /> move
    </span>
    <span aria-hidden="true">
      <KeyCaps keys={['Enter']} /> open
    </span>
    <span aria-hidden="true">
      <KeyCaps keys={[commandKey, 'Enter']} /> open in a new tab
    </span>
    <span className={css.count} role="status">
      {status}
    </span>
  </div>
)

const PaletteContent = ({ query, onQuery, groups, pending, onSelect }: CommandPaletteViewProps) => {
  const baseId = useId()
  const listId = `${baseId}-list`
  const list = useRef<HTMLDivElement>(null)
  const shownGroups = groups.filter((group) => group.items.length > 0)
  const items = shownGroups.flatMap((group) => group.items)
  const { activeItem, setActiveId, onKeyDown } = useActiveOption(items, onSelect)
  const getOptionId = (item: PaletteItem) => `${baseId}-${items.indexOf(item)}`

  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView?.({ block: 'nearest' })
  }, [activeItem?.id])

  return (
    <>
      <SearchBox
        query={query}
        onQuery={(text) => {
          setActiveId(undefined)
          onQuery(text)
        }}
        listId={listId}
        activeOptionId={activeItem && getOptionId(activeItem)}
        onKeyDown={onKeyDown}
      />
      <div
        ref={list}
        id={listId}
        // a listbox must contain options
        role={items.length > 0 ? 'listbox' : undefined}
        aria-label={items.length > 0 ? 'Results' : undefined}
        className={css.list}
        aria-busy={pending || undefined}
      >
        {shownGroups.map((group) => (
          <div key={group.label} role="group" aria-label={group.label}>
            <div className={css.group} aria-hidden="true">
              {group.label}
            </div>
            {group.items.map((item) => (
              <Option
                key={item.id}
                id={getOptionId(item)}
                item={item}
                query={query}
                active={item === activeItem}
                onHover={setActiveId}
                onSelect={onSelect}
              />
            ))}
          </div>
        ))}
        {items.length === 0 ? (
          <p className={css.noResults}>{pending ? 'Searching' : `Nothing found for '${query}'`}</p>
        ) : null}
      </div>
      <Footer status={formatResultCount(items.length, pending)} />
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
      {item.kind ? <span className={css.kind}>{item.kind}</span> : null}
      {item.detail ? (
        <span className={css.detail} data-mono={item.mono || undefined}>
          <Highlight text={item.detail} query={query} />
        </span>
      ) : null}
      {item.keys ? (
        <span className={css.keys} aria-hidden="true">
          <KeyCaps keys={[...item.keys]} />
        </span>
      ) : null}
      {active ? <CornerDownLeft size={14} strokeWidth={2} aria-hidden="true" /> : null}
    </div>
  )
}

/** Searches screens, records and actions by name. The focus stays in the search box. */
export const CommandPaletteView = (props: CommandPaletteViewProps) => (
  <Modal
    opened={props.opened}
    onClose={props.onClose}
    onEscape={props.query === '' ? undefined : () => props.onQuery('')}
    returnFocusTo={props.returnFocusTo}
    label="Search or jump to"
    className={css.palette}
  >
    <PaletteContent {...props} />
  </Modal>
)
