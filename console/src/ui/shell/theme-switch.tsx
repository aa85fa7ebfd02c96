import { Monitor, Moon, Sun } from 'lucide-react'
import { useId, useSyncExternalStore } from 'react'
import { setScheme, getScheme, subscribeToScheme, type Scheme } from '../../theme/scheme'
import css from './theme-switch.module.css'

const schemeOptions: { value: Scheme; label: string; icon: typeof Sun }[] = [
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
  { value: 'auto', label: 'System', icon: Monitor },
]

/** Switches between the light theme, the dark theme and the system setting. */
export const ThemeSwitch = () => {
  const scheme = useSyncExternalStore(subscribeToScheme, getScheme)
  const name = useId()
  return (
    <div className={css.group} role="radiogroup" aria-label="Theme">
      {schemeOptions.map(({ value, label, icon: Icon }) => (
        <label key={value} title={label} data-checked={scheme === value || undefined}>
          <input
            type="radio"
            name={name}
            value={value}
            aria-label={label}
            checked={scheme === value}
            onChange={() => setScheme(value)}
          />
          <Icon size={14} strokeWidth={2} aria-hidden="true" />
        </label>
      ))}
    </div>
  )
}
