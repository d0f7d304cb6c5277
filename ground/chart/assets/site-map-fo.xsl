<?xml version="1.0" encoding="UTF-8"?>
<!-- A site map as XSL-FO, which a formatter such as Apache FOP turns into PDF:
     fop -c fop.xconf -xml map.xml -xsl site-map-fo.xsl -pdf map.pdf
     or: xsltproc site-map-fo.xsl map.xml > map.fo; fop -c fop.xconf map.fo map.pdf
     Pages are set one after the other, not one inside the other, so that any depth can be set; bookmarks go three layers deep.
     Characters that none of the fonts in $font has show as a sign.
     The words people read are the parameters. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:m="urn:groma:site-map:1"
                xmlns:fo="http://www.w3.org/1999/XSL/Format" exclude-result-prefixes="m">
  <xsl:output method="xml" encoding="UTF-8" indent="no"/>

  <xsl:param name="lang" select="'en'"/>
  <xsl:param name="font" select="'DejaVu Sans, Noto Sans, Noto Sans CJK SC, Noto Sans CJK JP, WenQuanYi Micro Hei, sans-serif'"/>
  <xsl:param name="paper-width" select="'210mm'"/>
  <xsl:param name="paper-height" select="'297mm'"/>
  <xsl:param name="word-contents" select="'Contents'"/>
  <xsl:param name="word-pages" select="'pages'"/>
  <xsl:param name="word-depth" select="'to depth'"/>
  <xsl:param name="word-surveyed" select="'surveyed'"/>
  <xsl:param name="word-drawn" select="'drawn'"/>
  <xsl:param name="word-unreached" select="'pages cannot be reached from the root and are not on this map'"/>
  <xsl:param name="word-folded" select="'pages below are not shown'"/>
  <xsl:param name="word-rank" select="'rank'"/>
  <xsl:param name="word-links-to" select="'What a page links to, by bytes'"/>
  <!-- The most entries the contents may have. -->
  <xsl:param name="most-contents" select="120"/>
  <!-- Layers that are indented; deeper ones show their number. -->
  <xsl:param name="indented-layers" select="12"/>
  <!-- Layers of bookmarks below the root, at most three. -->
  <xsl:param name="bookmark-layers" select="3"/>

  <xsl:variable name="all" select="number(/m:site-map/@pages)"/>
  <xsl:variable name="gap" select="'&#8194;'"/>
  <xsl:variable name="ink" select="'#1b1f24'"/>
  <xsl:variable name="soft" select="'#667080'"/>
  <xsl:variable name="line" select="'#d9dee5'"/>
  <xsl:variable name="bar" select="'#aeb8c6'"/>

  <xsl:template match="/m:site-map">
    <fo:root font-family="{$font}" font-selection-strategy="character-by-character" font-size="8.5pt" line-height="1.35" color="{$ink}" xml:lang="{$lang}">
      <fo:layout-master-set>
        <fo:simple-page-master master-name="sheet" page-width="{$paper-width}" page-height="{$paper-height}"
                               margin="14mm 18mm 12mm 18mm">
          <fo:region-body margin-top="9mm" margin-bottom="10mm"/>
          <fo:region-before extent="7mm"/>
          <fo:region-after extent="6mm"/>
        </fo:simple-page-master>
      </fo:layout-master-set>
      <xsl:if test="m:page">
        <fo:bookmark-tree>
          <xsl:apply-templates select="m:page" mode="bookmark"><xsl:with-param name="layers" select="$bookmark-layers"/></xsl:apply-templates>
        </fo:bookmark-tree>
      </xsl:if>
      <fo:page-sequence master-reference="sheet" id="whole">
        <fo:static-content flow-name="xsl-region-before">
          <fo:block font-size="7.5pt" color="{$soft}" border-bottom="0.4pt solid {$line}" padding-bottom="2pt" text-align-last="justify">
            <xsl:value-of select="substring(m:site, 1, 60)"/>
            <fo:leader leader-pattern="space"/>
            <fo:retrieve-marker retrieve-class-name="branch" retrieve-position="first-including-carryover"/>
          </fo:block>
        </fo:static-content>
        <fo:static-content flow-name="xsl-region-after">
          <fo:block font-size="7.5pt" color="{$soft}" text-align="center">
            <fo:page-number/> / <fo:page-number-citation-last ref-id="whole"/>
          </fo:block>
        </fo:static-content>
        <fo:flow flow-name="xsl-region-body">
          <xsl:call-template name="head"/>
          <xsl:call-template name="contents"/>
          <xsl:for-each select="descendant::m:page"><xsl:call-template name="entry"/></xsl:for-each>
          <xsl:if test="not(m:page)"><fo:block/></xsl:if>
        </fo:flow>
      </fo:page-sequence>
    </fo:root>
  </xsl:template>

  <xsl:template name="head">
    <fo:block font-size="20pt" font-weight="bold" line-height="1.2"><xsl:value-of select="substring(m:site, 1, 500)"/></fo:block>
    <fo:block color="{$soft}" space-before="2pt"><xsl:value-of select="substring(m:root, 1, 500)"/></fo:block>
    <fo:block space-before="6pt">
      <xsl:value-of select="concat(format-number(@pages, '#,##0'), ' ', $word-pages, ' ', $word-depth, ' ', format-number(@layers - 1, '#,##0'))"/>
      <xsl:if test="@surveyed"><xsl:value-of select="concat(', ', $word-surveyed, ' ', substring-before(@surveyed, 'T'))"/></xsl:if>
      <xsl:if test="@drawn"><xsl:value-of select="concat(', ', $word-drawn, ' ', substring-before(@drawn, 'T'))"/></xsl:if>
      <xsl:if test="@generator"><xsl:value-of select="concat(', ', @generator)"/></xsl:if>
    </fo:block>
    <xsl:if test="@unreached &gt; 0">
      <fo:block><xsl:value-of select="concat(format-number(@unreached, '#,##0'), ' ', $word-unreached)"/></fo:block>
    </xsl:if>
    <xsl:for-each select="m:note"><fo:block><xsl:value-of select="substring(., 1, 500)"/></fo:block></xsl:for-each>
    <xsl:if test="descendant::m:parts">
      <fo:block space-before="6pt" font-size="7.5pt" color="{$soft}">
        <xsl:value-of select="concat($word-links-to, ': ')"/>
        <xsl:call-template name="legend"><xsl:with-param name="sorts" select="'page image media document archive code other '"/></xsl:call-template>
      </fo:block>
    </xsl:if>
  </xsl:template>

  <!-- Seven sorts, seven turns. -->
  <xsl:template name="legend">
    <xsl:param name="sorts"/>
    <xsl:variable name="sort" select="substring-before($sorts, ' ')"/>
    <xsl:if test="$sort">
      <fo:inline keep-together.within-line="always">
        <xsl:call-template name="stripe">
          <xsl:with-param name="width" select="7"/>
          <xsl:with-param name="color"><xsl:call-template name="color"><xsl:with-param name="sort" select="$sort"/></xsl:call-template></xsl:with-param>
        </xsl:call-template>
        <xsl:value-of select="concat('&#160;', $sort)"/>
      </fo:inline>
      <xsl:text>&#8195;</xsl:text>
      <xsl:call-template name="legend"><xsl:with-param name="sorts" select="substring-after($sorts, ' ')"/></xsl:call-template>
    </xsl:if>
  </xsl:template>

  <!-- The first layers with their page numbers: two if they fit, otherwise one, otherwise the first of it. -->
  <xsl:template name="contents">
    <xsl:variable name="first" select="m:page/m:page"/>
    <xsl:if test="$first/m:page">
      <fo:block font-size="12pt" font-weight="bold" space-before="14pt" space-after="4pt"><xsl:value-of select="$word-contents"/></fo:block>
      <xsl:choose>
        <xsl:when test="count($first) + count($first/m:page) &lt;= $most-contents">
          <xsl:for-each select="$first | $first/m:page"><xsl:call-template name="content"/></xsl:for-each>
        </xsl:when>
        <xsl:otherwise>
          <xsl:for-each select="$first[position() &lt;= $most-contents]"><xsl:call-template name="content"/></xsl:for-each>
          <xsl:if test="count($first) &gt; $most-contents">
            <fo:block color="{$soft}"><xsl:value-of select="concat('… ', format-number(count($first) - $most-contents, '#,##0'))"/></fo:block>
          </xsl:if>
        </xsl:otherwise>
      </xsl:choose>
      <fo:block break-after="page"/>
    </xsl:if>
  </xsl:template>

  <xsl:template name="content">
    <fo:block text-align-last="justify" start-indent="{5 * count(parent::m:page/parent::m:page)}mm">
      <xsl:if test="not(parent::m:page/parent::m:page)"><xsl:attribute name="font-weight">bold</xsl:attribute></xsl:if>
      <fo:basic-link internal-destination="{generate-id()}">
        <!-- A name that runs from right to left must not take the page number with it. -->
        <fo:bidi-override unicode-bidi="embed" direction="ltr"><xsl:call-template name="name"><xsl:with-param name="most" select="70"/></xsl:call-template></fo:bidi-override>
        <fo:leader leader-pattern="dots" leader-length.minimum="6mm" color="{$soft}" font-weight="normal"/>
        <fo:page-number-citation ref-id="{generate-id()}"/>
      </fo:basic-link>
    </fo:block>
  </xsl:template>

  <xsl:template name="entry">
    <xsl:variable name="layer" select="count(ancestor::m:page)"/>
    <xsl:variable name="step">
      <xsl:choose><xsl:when test="$layer &gt; $indented-layers"><xsl:value-of select="$indented-layers"/></xsl:when>
        <xsl:otherwise><xsl:value-of select="$layer"/></xsl:otherwise></xsl:choose>
    </xsl:variable>
    <fo:block id="{generate-id()}" start-indent="{4 * $step}mm" space-before="2.5pt" keep-together.within-column="always">
      <xsl:if test="m:page"><xsl:attribute name="keep-with-next.within-column">1</xsl:attribute></xsl:if>
      <xsl:if test="$layer = 1"><xsl:attribute name="space-before">8pt</xsl:attribute></xsl:if>
      <xsl:if test="$layer &lt;= 1">
        <fo:marker marker-class-name="branch"><xsl:call-template name="name"><xsl:with-param name="most" select="60"/></xsl:call-template></fo:marker>
      </xsl:if>
      <xsl:if test="$layer &gt; $indented-layers"><fo:inline color="{$soft}" font-size="7pt"><xsl:value-of select="concat($layer, ' ')"/></fo:inline></xsl:if>
      <fo:inline>
        <xsl:if test="m:page"><xsl:attribute name="font-weight">bold</xsl:attribute></xsl:if>
        <fo:bidi-override unicode-bidi="embed" direction="ltr"><xsl:call-template name="link"/></fo:bidi-override>
      </fo:inline>
      <xsl:text> </xsl:text>
      <xsl:if test="@pages &gt; 1">
        <fo:inline color="{$soft}" font-size="7.5pt"><xsl:value-of select="concat($gap, format-number(@pages, '#,##0'), ' ')"/></fo:inline>
        <xsl:call-template name="stripe">
          <xsl:with-param name="width" select="60 * @pages div $all"/><xsl:with-param name="color" select="$bar"/>
        </xsl:call-template>
        <xsl:text> </xsl:text>
      </xsl:if>
      <xsl:apply-templates select="m:parts"/>
      <fo:inline color="{$soft}" font-size="7pt">
        <xsl:if test="@state and @state != 'fetched'"><xsl:value-of select="concat($gap, @state)"/></xsl:if>
        <xsl:if test="@reason and @reason != 'fetched'"><xsl:value-of select="concat($gap, @reason)"/></xsl:if>
        <xsl:if test="@rank"><xsl:value-of select="concat($gap, $word-rank, ' ', format-number(@rank, '0.00'))"/></xsl:if>
        <xsl:if test="@type and @type != 'text/html'"><xsl:value-of select="concat($gap, substring(@type, 1, 60))"/></xsl:if>
        <xsl:if test="@size"><xsl:value-of select="$gap"/><xsl:call-template name="size"><xsl:with-param name="bytes" select="number(@size)"/></xsl:call-template></xsl:if>
        <xsl:for-each select="@depth | @status | @language | @words | @modified | @changed | @fetched | @in | @out | @cluster | @database">
          <xsl:value-of select="concat($gap, name(), ' ', substring(., 1, 60))"/>
        </xsl:for-each>
        <xsl:if test="@folded"><xsl:value-of select="concat($gap, '… ', format-number(@folded, '#,##0'), ' ', $word-folded)"/></xsl:if>
      </fo:inline>
      <xsl:if test="@broken &gt; 0"><fo:inline color="#b03a37" font-size="7pt"><xsl:value-of select="concat($gap, @broken, ' broken')"/></fo:inline></xsl:if>
      <xsl:if test="normalize-space(substring(m:title, 1, 500))">
        <fo:block color="{$soft}" font-size="6.5pt" line-height="1.2"><xsl:call-template name="breakable"><xsl:with-param name="text" select="substring(@url, 1, 500)"/></xsl:call-template></fo:block>
      </xsl:if>
    </fo:block>
  </xsl:template>

  <xsl:template name="link">
    <xsl:choose>
      <!-- Only the web, and only what can stand inside url('…'). -->
      <xsl:when test="(starts-with(@url, 'http://') or starts-with(@url, 'https://')) and string-length(@url) &lt; 2000
                      and not(contains(@url, &quot;&apos;&quot;)) and not(contains(@url, ')'))">
        <fo:basic-link external-destination="url('{@url}')"><xsl:call-template name="name"><xsl:with-param name="most" select="500"/></xsl:call-template></fo:basic-link>
      </xsl:when>
      <xsl:otherwise><xsl:call-template name="name"><xsl:with-param name="most" select="500"/></xsl:call-template></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- The title, or else the address. -->
  <xsl:template name="name">
    <xsl:param name="most"/>
    <xsl:variable name="title" select="normalize-space(substring(m:title, 1, 500))"/>
    <xsl:variable name="name"><xsl:choose><xsl:when test="$title"><xsl:value-of select="$title"/></xsl:when>
      <xsl:otherwise><xsl:value-of select="substring(@url, 1, 500)"/></xsl:otherwise></xsl:choose></xsl:variable>
    <xsl:choose>
      <xsl:when test="string-length($name) &gt; $most"><xsl:call-template name="breakable"><xsl:with-param name="text" select="concat(substring($name, 1, $most - 1), '…')"/></xsl:call-template></xsl:when>
      <xsl:otherwise><xsl:call-template name="breakable"><xsl:with-param name="text" select="$name"/></xsl:call-template></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- A long text without blanks may break every 40 characters; at most 500 characters, so at most 13 turns. -->
  <xsl:template name="breakable">
    <xsl:param name="text"/>
    <xsl:value-of select="substring($text, 1, 40)"/>
    <xsl:if test="string-length($text) &gt; 40">
      <xsl:text>&#8203;</xsl:text>
      <xsl:call-template name="breakable"><xsl:with-param name="text" select="substring($text, 41)"/></xsl:call-template>
    </xsl:if>
  </xsl:template>

  <xsl:template match="m:parts">
    <xsl:variable name="sum" select="sum(m:part/@bytes)"/>
    <xsl:if test="$sum &gt; 0">
      <xsl:value-of select="$gap"/>
      <xsl:for-each select="m:part[@bytes &gt; 0]">
        <xsl:call-template name="stripe">
          <xsl:with-param name="width" select="48 * @bytes div $sum"/>
          <xsl:with-param name="color"><xsl:call-template name="color"><xsl:with-param name="sort" select="@sort"/></xsl:call-template></xsl:with-param>
        </xsl:call-template>
      </xsl:for-each>
    </xsl:if>
  </xsl:template>

  <!-- A piece of a bar, in points. -->
  <xsl:template name="stripe">
    <xsl:param name="width"/>
    <xsl:param name="color"/>
    <xsl:variable name="points"><xsl:choose><xsl:when test="$width &lt; 0.6">0.6</xsl:when>
      <xsl:otherwise><xsl:value-of select="format-number($width, '0.0')"/></xsl:otherwise></xsl:choose></xsl:variable>
    <fo:leader leader-pattern="rule" leader-length="{$points}pt" rule-style="solid" rule-thickness="4.5pt" color="{$color}"/>
  </xsl:template>

  <xsl:template name="color">
    <xsl:param name="sort"/>
    <xsl:choose>
      <xsl:when test="$sort = 'page'">#4472c4</xsl:when>
      <xsl:when test="$sort = 'image'">#2e9e6b</xsl:when>
      <xsl:when test="$sort = 'media'">#c0504d</xsl:when>
      <xsl:when test="$sort = 'document'">#d99a2b</xsl:when>
      <xsl:when test="$sort = 'archive'">#7a5ba8</xsl:when>
      <xsl:when test="$sort = 'code'">#3a9fb5</xsl:when>
      <xsl:otherwise>#98a1ad</xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="m:page" mode="bookmark">
    <xsl:param name="layers"/>
    <fo:bookmark internal-destination="{generate-id()}">
      <xsl:if test="$layers &lt; $bookmark-layers"><xsl:attribute name="starting-state">hide</xsl:attribute></xsl:if>
      <fo:bookmark-title>
        <xsl:variable name="title" select="normalize-space(substring(m:title, 1, 80))"/>
        <xsl:choose><xsl:when test="$title"><xsl:value-of select="$title"/></xsl:when><xsl:otherwise><xsl:value-of select="substring(@url, 1, 80)"/></xsl:otherwise></xsl:choose>
        <xsl:if test="@pages &gt; 1"><xsl:value-of select="concat(' (', format-number(@pages, '#,##0'), ')')"/></xsl:if>
      </fo:bookmark-title>
      <xsl:if test="$layers &gt; 0">
        <xsl:apply-templates select="m:page" mode="bookmark"><xsl:with-param name="layers" select="$layers - 1"/></xsl:apply-templates>
      </xsl:if>
    </fo:bookmark>
  </xsl:template>

  <xsl:template name="size">
    <xsl:param name="bytes"/>
    <xsl:choose>
      <xsl:when test="$bytes &lt; 1000"><xsl:value-of select="$bytes"/> B</xsl:when>
      <xsl:when test="$bytes &lt; 1000000"><xsl:value-of select="format-number($bytes div 1000, '0.0')"/> kB</xsl:when>
      <xsl:when test="$bytes &lt; 1000000000"><xsl:value-of select="format-number($bytes div 1000000, '0.0')"/> MB</xsl:when>
      <xsl:otherwise><xsl:value-of select="format-number($bytes div 1000000000, '0.0')"/> GB</xsl:otherwise>
    </xsl:choose>
  </xsl:template>
</xsl:stylesheet>
