import { createContext, useContext, useEffect } from 'react'

/** What the fields on screen tell their form. */
export interface FormFacts {
  /** Labels by wire name, for messages. */
  labels: Map<string, string>
  /** Labels of required fields by wire name. */
  required: Map<string, string>
  /** Secrets that are not sent unless touched. */
  secrets: Set<string>
  /** Fields that were changed by hand or saved: only these are refused for being empty as soon as they are left. */
  changed: Set<string>
}

export const makeFacts = (): FormFacts => ({
  labels: new Map(),
  required: new Map(),
  secrets: new Set(),
  changed: new Set(),
})

export const FormFactsContext = createContext<FormFacts>(makeFacts())

/** Nothing in the form around can be changed. */
export const ReadOnlyContext = createContext(false)

/** Tells the form about a field while it is on screen. */
export const useFact = (name: string, label: string, { required = false, secret = false } = {}) => {
  const facts = useContext(FormFactsContext)
  useEffect(() => {
    facts.labels.set(name, label)
    if (required) facts.required.set(name, label)
    if (secret) facts.secrets.add(name)
    return () => {
      facts.labels.delete(name)
      facts.required.delete(name)
      facts.changed.delete(name)
      // a secret stays known: its value is still in the form when its tab is closed
    }
  }, [facts, name, label, required, secret])
}
