import { useEffect, useRef, type ReactNode } from 'react'
import { Monogram } from '../monogram'
import { TabLink } from '../tab-link'
import css from './record-head.module.css'

export interface RecordTab {
  id: string
  label: string
  href: string
  /** Undefined while unknown, and for a tab without a count. */
  count?: number
}

export interface RecordFact {
  label: string
  value: ReactNode
}

export interface RecordHeadProps {
  /** Undefined while the record loads. */
  name: string | undefined
  /** The name is the heading of the screen. Otherwise the content below has the heading. */
  isHeading?: boolean
  /** The name is a number: it has its own font, and no monogram. */
  mono?: boolean
  status?: ReactNode
  facts?: readonly RecordFact[]
  actions?: ReactNode
  tabs: readonly RecordTab[]
  currentTab: string
}

/** The ID of the tab that the user has pressed: its screen replaces this one, and then focuses the tab. */
let pressedTab: string | undefined

const RecordTabs = ({ name, tabs, currentTab }: Pick<RecordHeadProps, 'name' | 'tabs' | 'currentTab'>) => {
  const list = useRef<HTMLElement>(null)
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (pressedTab === currentTab) tab?.focus({ preventScroll: true })
    pressedTab = undefined
    tab?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
  }, [currentTab])
  return (
    <nav ref={list} className={css.tabs} aria-label={name ? `Sections of ${name}` : 'Sections'}>
      {tabs.map(({ id, label, href, count }) => (
        <TabLink
          key={id}
          label={label}
          href={href}
          count={count}
          isCurrent={id === currentTab}
          onClick={() => (pressedTab = id)}
        >
          {/* the navigation beside has links with the same names */}
          <span className="visually-hidden">of {name ?? 'this record'}</span>
        </TabLink>
      ))}
    </nav>
  )
}

/** The head of a record's screens: its name and state, facts about it, actions, and links to its parts. */
export const RecordHead = ({ name, isHeading, mono, status, facts = [], actions, ...tabs }: RecordHeadProps) => {
  const Name = isHeading ? 'h1' : 'p'
  return (
    <header className={css.head} data-mono={mono || undefined}>
      <div className={css.title}>
        {name === undefined ? (
          <span className={css.skeleton} aria-hidden="true" />
        ) : (
          <>
            {mono ? null : (
              <span className={css.monogram}>
                <Monogram name={name} />
              </span>
            )}
            <Name className={css.name}>{name}</Name>
            {status}
          </>
        )}
        {actions ? <div className={css.actions}>{actions}</div> : null}
      </div>
      {facts.length > 0 ? (
        <dl className={css.facts}>
          {facts.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      <RecordTabs name={name} {...tabs} />
    </header>
  )
}

/** The form below the head. Its heading is smaller than the name of the record. */
export const SettingsArea = ({ children }: { children: ReactNode }) => <div className={css.settings}>{children}</div>
