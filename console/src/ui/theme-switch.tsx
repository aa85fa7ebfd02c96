import { Monitor, Moon, Sun } from 'lucide-react'
import { useId } from 'react'
import { useMantineColorScheme, type MantineColorScheme } from '@mantine/core'
import css from './theme-switch.module.css'

const choices: { value: MantineColorScheme; label: string; icon: typeof Sun }[] = [
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
  { value: 'auto', label: 'System', icon: Monitor },
]

/** Light, dark, or what the system says; kept by the provider's colour scheme manager. */
export const ThemeSwitch = () => {
  // without this a style element would be added for a moment, which the content policy refuses
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const name = useId()
  return (
    <div className={css.group} role="radiogroup" aria-label="Theme">
      {choices.map(({ value, label, icon: Icon }) => (
        <label key={value} title={label} data-checked={colorScheme === value || undefined}>
          <input
            type="radio"
            name={name}
            value={value}
            aria-label={label}
            checked={colorScheme === value}
            onChange={() => setColorScheme(value)}
          />
          <Icon size={14} strokeWidth={2} aria-hidden="true" />
        </label>
      ))}
    </div>
  )
}
