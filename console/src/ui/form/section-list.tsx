import { CircleAlert } from 'lucide-react'
import { useEffect, useState, type RefObject } from 'react'
import type { ListedSection } from './section-list-context'
import css from './section-list.module.css'

/** Shorter forms are visible as a whole, so that a list of their sections saves nothing. */
const minSections = 4

/** A section is current while its top is at most this far below the top of the form, in pixels. */
const currentOffsetPx = 96

const isAfter = (first: ListedSection, second: ListedSection) =>
  (first.element.compareDocumentPosition(second.element) & Node.DOCUMENT_POSITION_PRECEDING) !== 0

/** The named sections of a form, in their order on screen. */
export const useSections = () => {
  const [sections, setSections] = useState<readonly ListedSection[]>([])
  const [addSection] = useState(() => (section: ListedSection) => {
    setSections((added) => [...added, section].sort((first, second) => (isAfter(first, second) ? 1 : -1)))
    return () => setSections((added) => added.filter((other) => other !== section))
  })
  return { sections: sections.length < minSections ? [] : sections, addSection }
}

/** Returns the title of the section at the top of the form; at the end of the form, that of the last one. */
const useCurrentTitle = (sections: readonly ListedSection[], scroller: RefObject<HTMLElement | null>) => {
  const [title, setTitle] = useState<string>()
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const update = () => {
      const isAtEnd = element.scrollTop > 0 && element.scrollTop + element.clientHeight >= element.scrollHeight - 1
      const limit = element.getBoundingClientRect().top + currentOffsetPx
      const passed = sections.filter((section) => section.element.getBoundingClientRect().top <= limit)
      setTitle((isAtEnd ? sections : passed).at(-1)?.title ?? sections[0]?.title)
    }
    update()
    element.addEventListener('scroll', update, { passive: true })
    return () => element.removeEventListener('scroll', update)
  }, [sections, scroller])
  return title
}

const fieldSelector = 'input:not([type=hidden]), textarea, button, a[href], [tabindex]'

const goToSection = ({ element }: ListedSection) => {
  element.scrollIntoView({ block: 'start' })
  element.querySelector<HTMLElement>(fieldSelector)?.focus({ preventScroll: true })
}

export interface SectionMarks {
  /** The titles of the sections with invalid fields. */
  invalid: ReadonlySet<string>
  /** The titles of the sections with unsaved changes. */
  changed: ReadonlySet<string>
}

export interface SectionListProps {
  sections: readonly ListedSection[]
  marks?: SectionMarks
  /** The element that scrolls the sections. */
  scroller: RefObject<HTMLElement | null>
}

/** The sections of a long form: where the user is, and which sections have errors or changes. */
export const SectionList = ({ sections, marks, scroller }: SectionListProps) => {
  const currentTitle = useCurrentTitle(sections, scroller)
  return (
    <nav className={css.list} aria-label="Form sections">
      <ul>
        {sections.map((section) => (
          <li key={section.title}>
            <a
              href={`#${section.element.id}`}
              aria-current={section.title === currentTitle || undefined}
              onClick={(event) => {
                event.preventDefault()
                goToSection(section)
              }}
            >
              {section.title}
              {marks?.invalid.has(section.title) ? (
                <CircleAlert
                  className={css.invalid}
                  size={14}
                  strokeWidth={2}
                  role="img"
                  aria-label="needs attention"
                />
              ) : marks?.changed.has(section.title) ? (
                <span className={css.changed} role="img" aria-label="changed" />
              ) : null}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
