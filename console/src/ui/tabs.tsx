import { CircleAlert } from 'lucide-react'
import { useContext, useId, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { SectionListContext } from './form/section-list-context'
import tabCss from './tab.module.css'
import css from './tabs.module.css'

export interface Tab {
  id: string
  label: string
  /** Number of invalid fields inside, shown on the tab. */
  errorCount?: number
  content: ReactNode
}

export interface TabsProps {
  /** Accessible name of the tab list. */
  label: string
  tabs: Tab[]
  value: string
  onChange: (id: string) => void
  /** Keeps hidden panels mounted, for the fields of a form. By default only the selected panel is mounted. */
  keepMounted?: boolean
  /** Actions for the complete record, at the end of the tab list. */
  end?: ReactNode
}

/** Tabs with roving focus: left, right, Home, End. */
export const Tabs = ({ label, tabs, value, onChange, keepMounted, end }: TabsProps) => {
  const baseId = useId()
  const list = useRef<HTMLDivElement>(null)
  const addSection = useContext(SectionListContext)
  const onKeyDown = (event: KeyboardEvent) => {
    const selectedIndex = tabs.findIndex((tab) => tab.id === value)
    const targetIndex = { ArrowRight: selectedIndex + 1, ArrowLeft: selectedIndex - 1, Home: 0, End: tabs.length - 1 }[
      event.key
    ]
    if (targetIndex === undefined) return
    event.preventDefault()
    const nextIndex = (targetIndex + tabs.length) % tabs.length
    const tab = tabs[nextIndex]
    if (!tab) return
    onChange(tab.id)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[nextIndex]?.focus()
  }
  return (
    <>
      <div className={css.head}>
        <div ref={list} role="tablist" aria-label={label} className={css.list}>
          {tabs.map((tab) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`${baseId}-${tab.id}-tab`}
              aria-controls={`${baseId}-${tab.id}`}
              aria-selected={tab.id === value}
              tabIndex={tab.id === value ? 0 : -1}
              className={tabCss.tab}
              onClick={() => onChange(tab.id)}
              onKeyDown={onKeyDown}
            >
              {tab.label}
              {tab.errorCount ? (
                <span className={css.errorCount}>
                  <CircleAlert size={12} strokeWidth={2.25} aria-hidden="true" />
                  {tab.errorCount}
                  <span className="visually-hidden">
                    {tab.errorCount === 1 ? ' field needs attention' : ' fields need attention'}
                  </span>
                </span>
              ) : null}
            </button>
          ))}
        </div>
        {end ? <div className={css.end}>{end}</div> : null}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.id}
          role="tabpanel"
          id={`${baseId}-${tab.id}`}
          aria-labelledby={`${baseId}-${tab.id}-tab`}
          hidden={tab.id !== value}
          className={css.panel}
        >
          {keepMounted || tab.id === value ? (
            // the sections of hidden tabs are not in the list of sections
            <SectionListContext value={tab.id === value ? addSection : undefined}>{tab.content}</SectionListContext>
          ) : null}
        </div>
      ))}
    </>
  )
}
