/** Shells that can be completed, with the code that they run. */
export const SHELLS: Readonly<Record<string, string>> = {
  bash: `# Completion of quern for bash. Add to ~/.bashrc:  source <(quern completion bash)
_quern() {
  # Bash splits words at :, so $2 can be a part of the word.
  local cur=$2 line=\${COMP_LINE:0:COMP_POINT} word='' prefix candidate
  COMPREPLY=()
  {
    IFS= read -r word
    if [[ -n $cur ]]; then prefix=\${word%"$cur"}; else prefix=$word; fi
    while IFS= read -r candidate; do
      candidate=\${candidate#"$prefix"}
      case \${COMP_WORDS[COMP_CWORD]} in
        \\'* | \\"*) ;;
        *) printf -v candidate %q "$candidate" ;;
      esac
      COMPREPLY+=("$candidate")
    done
  } < <(quern completion word-and-candidates -- "$line" 2>/dev/null)
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == */ ]]; then compopt -o nospace; fi
}
complete -o default -F _quern quern
`,
  zsh: `#compdef quern
# Completion of quern for zsh. Add to ~/.zshrc, after compinit:  source <(quern completion zsh)
_quern() {
  local -a found
  found=("\${(@f)$(quern completion candidates -- "$LBUFFER" 2>/dev/null)}")
  found=(\${found:#})
  if (( \${#found} == 0 )); then
    _files
    return
  fi
  local -a folders others
  folders=(\${(M)found:#*/})
  others=(\${found:#*/})
  (( \${#folders} )) && compadd -S '' -- $folders
  (( \${#others} )) && compadd -- $others
}
compdef _quern quern
`,
  fish: `# Completion of quern for fish. Save as ~/.config/fish/completions/quern.fish
complete -c quern -a '(quern completion candidates -- (commandline -cp) 2>/dev/null)'
`,
};
