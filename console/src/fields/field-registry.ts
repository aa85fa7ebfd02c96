import { createContext, useContext, useEffect } from 'react'
import { SectionTitleContext } from '../ui/form/section-list-context'

/** The properties that the visible fields register with their form. */
export interface FieldRegistry {
  /** Labels by wire name, for messages. */
  labels: Map<string, string>
  /** Titles of the sections around the fields, by wire name. */
  sections: Map<string, string>
  /** Labels of required fields by wire name. */
  required: Map<string, string>
  /** Secrets that are sent only if they change. */
  secrets: Set<string>
  /** Fields that the user has changed or saved. Only these show an error for an empty value on blur. */
  changed: Set<string>
}

export const createFieldRegistry = (): FieldRegistry => ({
  labels: new Map(),
  sections: new Map(),
  required: new Map(),
  secrets: new Set(),
  changed: new Set(),
})

export const FieldRegistryContext = createContext<FieldRegistry>(createFieldRegistry())

/** True if nothing in the form can be changed. */
export const ReadOnlyContext = createContext(false)

/** Registers a field with its form while the field is mounted. */
export const useRegisterField = (name: string, label: string, { required = false, secret = false } = {}) => {
  const registry = useContext(FieldRegistryContext)
  const section = useContext(SectionTitleContext)
  useEffect(() => {
    registry.labels.set(name, label)
    if (section) registry.sections.set(name, section)
    if (required) registry.required.set(name, label)
    if (secret) registry.secrets.add(name)
    return () => {
      registry.labels.delete(name)
      registry.sections.delete(name)
      registry.required.delete(name)
      registry.changed.delete(name)
      // keep the secret: its value remains in the form when its tab is closed
    }
  }, [registry, name, label, section, required, secret])
}
