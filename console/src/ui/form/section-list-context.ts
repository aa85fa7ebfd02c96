import { createContext } from 'react'

/** A section of a form. */
export interface ListedSection {
  title: string
  element: HTMLElement
}

/** Adds a section to the list of its form, and returns a function that removes it. */
export const SectionListContext = createContext<((section: ListedSection) => () => void) | undefined>(undefined)

/** The title of the section around a field. */
export const SectionTitleContext = createContext<string | undefined>(undefined)
